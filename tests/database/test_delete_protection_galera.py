# SPDX-License-Identifier: Apache-2.0

"""A protection and a deletion that commit at once, on two servers."""

import fixtures
from oslo_db import exception as db_exception

from heat_extras.stack_lock.delete_protection import claim as delete_claim
from tests.database import base
from tests.database import race
from tests.database import test_delete_protection
from tests.database import test_galera
from tests.rigs import databases

_ROUNDS = 8
# On a busy machine one thread may be long done before the other commits.
_MORE_ROUNDS = 100


class AtOnceTestCase(test_delete_protection.DeleteProtectionTestCase):

    scenarios = databases.GALERA
    # Whoever comes second at the certification, which Heat tells as a 500.
    refusals = (*test_delete_protection.REFUSALS, db_exception.DBDeadlock)

    def setUp(self):
        super().setUp()
        self.servers = self.useFixture(test_galera.Servers(self.engine))
        # It commits before.
        self.useFixture(fixtures.MockPatchObject(
            delete_claim, 'forget_dead'))

    def at_once(self, *functions):
        meeting = self.useFixture(test_galera.Meeting(self.engine))

        def on(number, function):
            with self.servers.chosen(number), meeting.expected():
                return function()
        attempts = [self.threads.start(on, *each)
                    for each in enumerate(functions)]
        race.settle(attempts[0])
        return [race.outcome(each, self.refusals) for each in attempts]

    def outcomes(self, deletion, rounds):
        """Tell of each round how protection and deletion ended."""
        for _ in range(rounds):
            self.root_id = self.forest.add_stack()
            self.claim = delete_claim.Claim(base.ENGINE)
            yield tuple(self.at_once(self.protect, deletion))
            self.claim.end()


class AtOnceTest(AtOnceTestCase):

    def test_one_of_them_wins(self):
        for deletion in self.begin, self.take:
            found = set(self.outcomes(deletion, _ROUNDS))
            self.assertNotIn((True, True), found)
            self.assertNotIn((False, False), found)


class GaleraTest(test_delete_protection.DeleteProtectionTest):
    """The same on one server of a cluster."""

    scenarios = databases.GALERA


class KnownToSeeTest(AtOnceTestCase):
    """Without the change of the root's row both a claim and it succeed."""

    def test_both_win(self):
        self.useFixture(fixtures.MockPatchObject(
            delete_claim, 'touch', lambda session, root_id, value: None))
        self.assertTrue(any(all(found) for found in self.outcomes(
            self.take, _MORE_ROUNDS)))
