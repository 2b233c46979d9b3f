# SPDX-License-Identifier: Apache-2.0

"""A writer and a lock that commit at the same moment on two servers.

Neither server knows of the other's transaction before the commit: no row
lock stands in the way, and Galera certifies what both have changed.
"""

import fixtures
import testscenarios

from tests.database import concurrent_commits
from tests.database import prepared_writers
from tests.database import race
from tests.database import test_races
from tests.harness import databases

# An insert alone gets through, as Galera takes the reference to its stack for
# no conflict with the stack's change. Heat inserts these inside of operations
# that it has recorded before, which a lock waits for.
_INSERTS = (prepared_writers.ResourceCreate, prepared_writers.NestedCreate)
PREPARED = [(prepared.__name__, {'prepared': prepared})
            for prepared in prepared_writers.ALL if prepared not in _INSERTS]


class GaleraTest(test_races.RaceTest):

    scenarios = testscenarios.multiply_scenarios(databases.GALERA, PREPARED)

    def setUp(self):
        super().setUp()
        self.servers = self.useFixture(concurrent_commits.Servers(self.engine))

    def orders(self):
        return [(f'at once, round {number}', self.at_once)
                for number in range(concurrent_commits.ROUNDS)]

    def at_once(self, prepared):
        meeting = self.useFixture(concurrent_commits.Meeting(self.engine))

        def on(number, function, *arguments):
            with self.servers.chosen(number), meeting.expected():
                return function(*arguments)

        attempts = (
            self.threads.start(on, 0, self.lock, prepared.root,
                               self.new_context()),
            self.threads.start(on, 1, self.write, prepared, self.new_context(),
                               bool, bool))
        race.settle(attempts[0])
        return attempts

    def test_writer_does_not_change_locked_stack_tree(self):
        self.skip_what_heat_has_not()
        self.assertEqual({}, self.violations(self.prepared))


class FailsWhenUnprotectedTest(GaleraTest):
    """Without the guard, the same tests find a violation."""

    scenarios = testscenarios.multiply_scenarios(
        databases.GALERA,
        [(prepared.__name__, {'prepared': prepared}) for prepared in (
            prepared_writers.ResourceCreate, prepared_writers.SnapshotUpdate)])

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.stack_lock.tree_rows.touch_snapshots',
            lambda session, ids: None))

    def test_writer_does_not_change_locked_stack_tree(self):
        self.skip_what_heat_has_not()
        self.assertTrue(any(self.violations(self.prepared) for _ in range(
            0, concurrent_commits.MORE_ROUNDS, concurrent_commits.ROUNDS)))
