# SPDX-License-Identifier: Apache-2.0

"""A writer and a lock that commit at the same moment on two servers.

Neither server knows of the other's transaction before the commit: no row
lock stands in the way, and Galera certifies what both have changed.
"""

import fixtures
import testscenarios

from tests.database import at_once
from tests.database import race
from tests.database import racers
from tests.database import test_races
from tests.harness import databases

# An insert alone gets through, as Galera takes the reference to its stack for
# no conflict with the stack's change. Heat inserts these inside of operations
# that it has recorded before, which a lock waits for.
_INSERTS = (racers.ResourceCreate, racers.NestedCreate)
RACERS = [(racer.__name__, {'racer': racer}) for racer in racers.ALL
          if racer not in _INSERTS]


class GaleraTest(test_races.RaceTest):

    scenarios = testscenarios.multiply_scenarios(databases.GALERA, RACERS)

    def setUp(self):
        super().setUp()
        self.servers = self.useFixture(at_once.Servers(self.engine))

    def orders(self):
        return [(f'at once, round {number}', self.at_once)
                for number in range(at_once.ROUNDS)]

    def at_once(self, racer):
        meeting = self.useFixture(at_once.Meeting(self.engine))

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


class FailsWhenUnprotectedTest(GaleraTest):
    """The same finds something without what closes it."""

    scenarios = testscenarios.multiply_scenarios(
        databases.GALERA,
        [(racer.__name__, {'racer': racer}) for racer in (
            racers.ResourceCreate, racers.SnapshotUpdate)])

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.stack_lock.tree.touch_snapshots',
            lambda session, ids: None))

    def test_no_writer_gets_through(self):
        self.skip_what_heat_has_not()
        self.assertTrue(any(
            self.violations(self.racer)
            for _ in range(0, at_once.MORE_ROUNDS, at_once.ROUNDS)))
