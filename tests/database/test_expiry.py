# SPDX-License-Identifier: Apache-2.0

"""Ends of locks, on every database."""

import datetime
import time

from heat.db import models as heat_models
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import clock
from heat_extras.db import models
from heat_extras.stack_lock import errors
from heat_extras.stack_lock.expiry import ends
from heat_extras.stack_lock.identity import adoption
from tests.database import base

_lock = models.lock_table
_stack = heat_models.Stack.__table__
FAR = datetime.datetime(2099, 12, 24, 18)


class ExpiryTestCase(base.DatabaseTest):

    def entry(self, root):
        """Return the register's row of a tree."""
        with self.engine.connect() as connection:
            return connection.execute(sqlalchemy.select(_lock).where(
                _lock.c.stack_id == root)).first()

    def write(self, table, **values):
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.update(table).values(values))

    def now(self):
        with self.engine.connect() as connection:
            return clock.read(connection)


class ClockTest(ExpiryTestCase):

    def test_it_is_utc_in_whole_seconds_that_have_begun(self):
        for _ in range(3):
            before = timeutils.utcnow().replace(microsecond=0)
            found = self.now()
            self.assertTrue(before <= found <= timeutils.utcnow(), found)
            self.assertEqual(0, found.microsecond)
            time.sleep(0.3)

    def test_it_goes_on_in_a_transaction(self):
        with self.engine.begin() as connection:
            before = clock.read(connection)
            time.sleep(1.1)
            self.assertLess(before, clock.read(connection))

    def test_columns_are_compared_with_it(self):
        root = self.forest.add_stack()
        second = datetime.timedelta(seconds=1)
        now = self.now()
        self.lock(root, expires_at=FAR)
        for moment, has_come in ((now - second, True), (now, True),
                                 (now + 60 * second, False)):
            self.write(_lock, lift_at=moment)
            with self.engine.connect() as connection:
                found = connection.scalars(
                    sqlalchemy.select(_lock.c.id)
                    .where(_lock.c.lift_at <= clock.now())).all()
            self.assertEqual(has_come, bool(found), (moment, now))


class EndTest(ExpiryTestCase):

    def test_it_is_written_with_the_lock(self):
        root = self.forest.add_tree(2, 2)[0]
        self.lock(root, expires_at=FAR)
        entry = self.entry(root)
        self.assertEqual((FAR, FAR, 0), (entry.expires_at, entry.lift_at,
                                         entry.lift_attempts))
        self.assertEqual({entry.id: FAR},
                         ends.of_locks(self.context, {entry.id, 'x'}))
        self.lock(root)
        self.assertEqual((None, None), (self.entry(root).expires_at,
                                        self.entry(root).lift_at))

    def test_one_that_has_come_writes_nothing(self):
        root = self.forest.add_stack()
        before = self.forest.dump()
        error = self.assertRaises(errors.StackLockInvalid, self.lock, root,
                                  expires_at=self.now())
        self.assertIn('still to come', str(error))
        self.assertEqual(before, self.forest.dump())

    def test_adoption_takes_none_away(self):
        root = self.forest.add_stack()
        self.lock(root, expires_at=FAR)
        entry = self.entry(root)
        # As one that was listed just before it was locked anew.
        adoption._adopt(self.context, root)
        self.assertEqual(entry, self.entry(root))
