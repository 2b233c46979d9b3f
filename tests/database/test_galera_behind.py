# SPDX-License-Identifier: Apache-2.0

"""A lock and a writer on servers that are behind each other.

So it is where nobody tells MariaDB to wait (``wsrep_sync_wait``), and a server
is slow: what is read there is old. What is written is certified.
"""

import testscenarios

from tests.database import concurrent_commits
from tests.database import race
from tests.database import test_galera
from tests.database import test_races
from tests.harness import databases


class ServerBehindTest(test_races.RaceTest):

    scenarios = testscenarios.multiply_scenarios(
        databases.GALERA, test_galera.PREPARED)

    def setUp(self):
        super().setUp()
        self.servers = self.useFixture(
            concurrent_commits.Servers(self.engine, sync_wait=0))

    def orders(self):
        return [('lock, then write', self.lock_first),
                ('write, then lock', self.write_first)]

    def lock_first(self, prepared):
        self.catch_up(1)
        with self.servers.nodes[1].behind():
            lock = self.on(0, self.lock, prepared.root, self.new_context())
            race.outcome(lock, ())
            self.assertIsNone(self.on(1, self.stack, prepared.root).result(
                race.SECONDS).lock_level)
            writer = self.on(1, self.write, prepared, self.new_context(), bool,
                             bool)
            race.settle(writer)
        return self.both(lock, writer)

    def write_first(self, prepared):
        self.catch_up(0)
        with self.servers.nodes[0].behind():
            writer = self.on(1, self.write, prepared, self.new_context(), bool,
                             bool)
            race.outcome(writer, ())
            lock = self.on(0, self.lock, prepared.root, self.new_context())
            race.settle(lock)
        return self.both(lock, writer)

    def on(self, number, function, *arguments):
        """Call it in a thread, on one of the servers."""
        def call():
            with self.servers.chosen(number):
                return function(*arguments)
        return self.threads.start(call)

    def catch_up(self, number):
        """Wait until a server has applied all earlier writes."""
        self.servers.nodes[number].wait_for_others()

    def both(self, *attempts):
        for each in attempts:
            race.settle(each)
        for number in range(2):
            self.catch_up(number)
        return attempts

    def test_writer_does_not_change_locked_stack_tree(self):
        self.skip_what_heat_has_not()
        self.assertEqual({}, self.violations(self.prepared))
