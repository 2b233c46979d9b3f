# SPDX-License-Identifier: Apache-2.0

"""Two transactions that commit at once, each on a server of a cluster."""

from tests.database import race
from tests.database import test_galera
from tests.rigs import databases

ROUNDS = 8
# On a busy machine one thread may be long done before the other commits.
MORE_ROUNDS = 300


class AtOnce:
    """For test cases with an ``engine``.

    :cvar refusals: errors of whoever comes second.
    """

    scenarios = databases.GALERA
    refusals = ()

    def setUp(self):
        super().setUp()
        self.servers = self.useFixture(test_galera.Servers(self.engine))
        self.threads = self.useFixture(race.Threads())

    def at_once(self, *functions):
        """Call each on a server of its own, and return what came of each."""
        meeting = self.useFixture(test_galera.Meeting(self.engine))

        def on(number, function):
            with self.servers.chosen(number), meeting.expected():
                return function()
        attempts = [self.threads.start(on, *each)
                    for each in enumerate(functions)]
        return [race.outcome(each, self.refusals) for each in attempts]
