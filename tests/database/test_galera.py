# SPDX-License-Identifier: Apache-2.0

"""A writer and a lock that commit at the same moment on two servers.

Neither server knows of the other's transaction before the commit: no row
lock stands in the way, and Galera certifies what both have changed.
"""

import contextlib
import threading

import fixtures
import sqlalchemy
import testscenarios

from tests.database import race
from tests.database import racers
from tests.database import test_races
from tests.rigs import databases
from tests.rigs.services import galera
from tests.rigs.services import shared

# Often one is applied on the other's server before that commits.
_ROUNDS = 8
# An insert alone gets through, as Galera takes the reference to its stack for
# no conflict with the stack's change. Heat inserts these inside of operations
# that it has recorded before, which a lock waits for.
_INSERTS = (racers.ResourceCreate, racers.NestedCreate)
_RACERS = [(racer.__name__, {'racer': racer}) for racer in racers.ALL
           if racer not in _INSERTS]


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


class GaleraTest(test_races.RaceTest):

    scenarios = testscenarios.multiply_scenarios(databases.GALERA, _RACERS)

    def setUp(self):
        super().setUp()
        self.servers = self.useFixture(Servers(self.engine))

    def orders(self):
        return [(f'at once, round {number}', self.at_once)
                for number in range(_ROUNDS)]

    def at_once(self, racer):
        meeting = self.useFixture(Meeting(self.engine))

        def on(number, function, *arguments):
            with self.servers.chosen(number), meeting.expected():
                return function(*arguments)

        attempts = (
            self.threads.start(on, 0, self.lock, racer.root,
                               self.new_context()),
            self.threads.start(on, 1, self.write, racer, self.new_context(),
                               bool, bool))
        race.settle(attempts[0])
        return attempts

    def test_no_writer_gets_through(self):
        self.skip_what_heat_has_not()
        self.assertEqual({}, self.violations(self.racer))


class KnownToSeeTest(GaleraTest):
    """The same finds something without what closes it."""

    scenarios = testscenarios.multiply_scenarios(
        databases.GALERA,
        [(racer.__name__, {'racer': racer}) for racer in (
            racers.ResourceCreate, racers.SnapshotUpdate)])

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.stack_lock.rest.renew_snapshots',
            lambda session, ids: None))

    def test_no_writer_gets_through(self):
        self.skip_what_heat_has_not()
        self.assertNotEqual({}, self.violations(self.racer))
