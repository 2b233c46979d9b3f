# SPDX-License-Identifier: Apache-2.0

"""Protect and delete requests that commit at once, on two servers."""

from oslo_db import exception as db_exception

from heat_extras.stack_lock.delete_protection import delete_intent
from tests.database import base
from tests.database import concurrent_commits
from tests.database import test_delete_protection
from tests.harness import databases


class ConcurrentCommitTestCase(
        concurrent_commits.AtOnce,
        test_delete_protection.DeleteProtectionTestCase):

    # The second commit fails certification, which Heat answers with 500.
    refusals = (*test_delete_protection.REFUSALS, db_exception.DBDeadlock)

    def outcomes(self, deletion, rounds):
        """Yield the results of protect and delete of each round."""
        for _ in range(rounds):
            self.root_id = self.stacks.add_stack()
            self.intent = delete_intent.DeleteIntent(base.ENGINE)
            yield tuple(self.at_once(self.protect, deletion))
            self.intent.end()


class ConcurrentCommitTest(ConcurrentCommitTestCase):

    def test_exactly_one_of_protect_and_delete_succeeds(self):
        for deletion in self.begin, self.take:
            outcomes = set(self.outcomes(deletion, concurrent_commits.ROUNDS))
            self.assertNotIn((True, True), outcomes)
            self.assertNotIn((False, False), outcomes)


class GaleraTest(test_delete_protection.DeleteProtectionTest):
    """The same tests on one server of a cluster."""

    scenarios = databases.GALERA
