# SPDX-License-Identifier: Apache-2.0

"""Two transactions that commit at once, each on a server of a cluster."""

import contextlib
import threading

import fixtures
import sqlalchemy

from tests.database import race
from tests.rigs import databases
from tests.rigs.services import galera
from tests.rigs.services import shared

# Often one is applied on the other's server before that commits.
ROUNDS = 8
# And on a busy machine it may be long done.
MORE_ROUNDS = 300


class Servers(fixtures.Fixture):
    """Let each thread talk to a server of its own.

    :param engine: whose connections are led there.
    """

    def __init__(self, engine):
        super().__init__()
        self._engine = engine
        self._chosen = threading.local()

    def _setUp(self):
        self._ports = [node.port for node
                       in shared.server(galera.Galera).nodes]
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

    def _check(self, connection, record, proxy):
        if record.info.get('port') != self._port():
            raise sqlalchemy.exc.DisconnectionError()


class Meeting(fixtures.Fixture):
    """Let two threads wait for each other before their first commits."""

    def __init__(self, engine):
        super().__init__()
        self._engine = engine
        self._barrier = threading.Barrier(2)
        self._here = threading.local()

    def _setUp(self):
        sqlalchemy.event.listen(self._engine, 'commit', self._wait)
        self.addCleanup(sqlalchemy.event.remove, self._engine, 'commit',
                        self._wait)

    @contextlib.contextmanager
    def expected(self):
        """Wait in this thread, or at its end if it has not committed."""
        self._here.is_expected = True
        try:
            yield
        finally:
            self._wait(None)

    def _wait(self, connection):
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
        """Call each on a server of its own, and return what came of each."""
        meeting = self.useFixture(Meeting(self.engine))

        def on(number, function):
            with self.servers.chosen(number), meeting.expected():
                return function()
        attempts = [self.threads.start(on, *each)
                    for each in enumerate(functions)]
        return [race.outcome(each, self.refusals) for each in attempts]
