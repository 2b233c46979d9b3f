# SPDX-License-Identifier: Apache-2.0

"""Two transactions that commit at once, each on a server of a cluster."""

import contextlib
import threading

import fixtures
import sqlalchemy

from tests.database import race
from tests.harness import databases
from tests.harness.services import galera
from tests.harness.services import shared

# Often one is applied on the other's server before that commits.
ROUNDS = 8
# And on a busy machine it may be long done.
MORE_ROUNDS = 100


class Servers(fixtures.Fixture):
    """Let each thread talk to a server of its own.

    :param engine: whose connections are led there.
    :param sync_wait: for what a read waits for what was committed elsewhere;
        0 is what MariaDB does unless told.
    :ivar nodes: the servers.
    """

    def __init__(self, engine, sync_wait=1):
        super().__init__()
        self._engine = engine
        self._sync_wait = sync_wait
        self._chosen = threading.local()

    def _setUp(self):
        self.nodes = shared.server(galera.Galera).nodes
        self._ports = [node.port for node in self.nodes]
        # Those that are there already may not wait as they are to.
        self._engine.dispose()
        # The next test is to get none that leads to another server.
        self.addCleanup(self._engine.dispose)
        for name, listener in (('do_connect', self._connect),
                               ('checkout', self._check)):
            sqlalchemy.event.listen(self._engine, name, listener)
            self.addCleanup(sqlalchemy.event.remove, self._engine, name,
                            listener)

    @contextlib.contextmanager
    def chosen(self, number):
        """Talk to a server in this thread."""
        self._chosen.port = self._ports[number]
        try:
            yield
        finally:
            del self._chosen.port

    def _port(self):
        return getattr(self._chosen, 'port', self._ports[0])

    def _connect(self, dialect, record, arguments, named):
        named['port'] = record.info['port'] = self._port()
        named['init_command'] = (
            f'SET SESSION wsrep_sync_wait = {self._sync_wait}')

    def _check(self, connection, record, proxy):
        if record.info.get('port') != self._port():
            raise sqlalchemy.exc.DisconnectionError()


class Meeting(fixtures.Fixture):
    """Let two threads wait for each other before they commit what they wrote.

    Once each: a transaction that has only read goes on.
    """

    def __init__(self, engine):
        super().__init__()
        self._engine = engine
        self._barrier = threading.Barrier(2)
        self._here = threading.local()

    def _setUp(self):
        for name, listener in (('before_cursor_execute', self._note),
                               ('commit', self._commit)):
            sqlalchemy.event.listen(self._engine, name, listener)
            self.addCleanup(sqlalchemy.event.remove, self._engine, name,
                            listener)

    @contextlib.contextmanager
    def expected(self):
        """Wait in this thread, or at its end if it has written nothing."""
        self._here.is_expected = True
        self._here.has_written = False
        try:
            yield
        finally:
            self._wait()

    def _note(self, connection, cursor, statement, *others):
        if not statement.lstrip().upper().startswith('SELECT'):
            self._here.has_written = True

    def _commit(self, connection):
        if getattr(self._here, 'has_written', False):
            self._wait()

    def _wait(self):
        if getattr(self._here, 'is_expected', False):
            self._here.is_expected = False
            self._barrier.wait(race.SECONDS)


class AtOnce:
    """For test cases with an ``engine``.

    :cvar refusals: errors of whoever comes second.
    """

    scenarios = databases.GALERA
    refusals = ()

    def setUp(self):
        super().setUp()
        self.servers = self.useFixture(Servers(self.engine))
        self.threads = self.useFixture(race.Threads())

    def at_once(self, *functions):
        """Call each on a server of its own, and return what came of each.

        All have applied what was arranged: a transaction that begins with
        an UPDATE does not wait for it, by ``wsrep_sync_wait = 1``.
        """
        for node in self.servers.nodes:
            node.wait_for_others()
        meeting = self.useFixture(Meeting(self.engine))

        def on(number, function):
            with self.servers.chosen(number), meeting.expected():
                return function()
        attempts = [self.threads.start(on, *each)
                    for each in enumerate(functions)]
        return [race.outcome(each, self.refusals) for each in attempts]
