# SPDX-License-Identifier: Apache-2.0

"""A lock that is extended and expires at once, on two servers."""

import functools
import threading
import time

from oslo_db import exception as db_exception
import sqlalchemy

from heat_extras.db import models
from heat_extras.stack_lock import auto_unlock
from heat_extras.stack_lock import errors
from tests.database import concurrent_commits
from tests.database import test_expiry

# Seconds by which one of two commits is later: the changes of the first are
# sent by then, and are not applied yet or were just applied.
_LATE = 0.005


class ConcurrentCommitTestCase(concurrent_commits.AtOnce,
                               test_expiry.AutoUnlockTestCase):

    # The second at the certification fails after the retries, or reads the
    # changes of the first.
    refusals = (auto_unlock.NotDue, errors.StackLockConflict,
                db_exception.DBDeadlock)

    def protect_something(self):
        """Add a resource to release: the unlock does not end at once."""
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.delete(models.protection_table))
            connection.execute(
                sqlalchemy.insert(models.protection_table).values(
                    resource_id=1, stack_id=self.root, root_id=self.root,
                    state='protected'))

    def outcomes(self, rounds):
        """Yield the results of extend and unlock of each round."""
        for number in range(rounds):
            self.root = self.stacks.add_stack()
            lock_id = self.lock_until()
            self.protect_something()
            yield tuple(self.at_once(
                number % 2,
                lambda: self.extend(test_expiry.FAR) is None,
                lambda lock_id=lock_id: self.lift(lock_id) is not None))

    def at_once(self, late, *functions):
        """Let the function with number *late* commit last."""
        here = threading.local()

        def lag(connection):
            if getattr(here, 'number', None) == late:
                here.number = None
                time.sleep(_LATE)

        def numbered(number, function):
            here.number = number
            return function()
        sqlalchemy.event.listen(self.engine, 'commit', lag)
        try:
            return super().at_once(*(
                functools.partial(numbered, *each)
                for each in enumerate(functions)))
        finally:
            sqlalchemy.event.remove(self.engine, 'commit', lag)


class ConcurrentCommitTest(ConcurrentCommitTestCase):

    def test_exactly_one_of_extend_and_expiration_succeeds(self):
        outcomes = set(self.outcomes(concurrent_commits.ROUNDS))
        self.assertNotIn((True, True), outcomes)
        self.assertNotIn((False, False), outcomes)
