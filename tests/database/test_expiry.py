# SPDX-License-Identifier: Apache-2.0

"""Lock expiration on every database."""

import datetime
import functools
import time

from heat.db import models as heat_models
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.stack_lock import auto_unlock
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import service
from heat_extras.stack_lock import states
from tests.database import base
from tests.database import race

_lock = models.guard_table
_stack = heat_models.Stack.__table__
FAR = datetime.datetime(2099, 12, 24, 18)


class ExpiryTestCase(base.DatabaseTest):

    def entry(self, root):
        """Return the lock table's row of a stack tree."""
        with self.engine.connect() as connection:
            return connection.execute(sqlalchemy.select(_lock).where(
                _lock.c.stack_id == root)).first()

    def write(self, table, **values):
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.update(table).values(values))

    def now(self):
        with self.engine.connect() as connection:
            return db_time.read_time(connection)


class DatabaseTimeTest(ExpiryTestCase):

    def test_read_time_returns_utc_in_whole_seconds(self):
        for _ in range(3):
            before = timeutils.utcnow().replace(microsecond=0)
            now = self.now()
            self.assertTrue(before <= now <= timeutils.utcnow(), now)
            self.assertEqual(0, now.microsecond)
            time.sleep(0.3)

    def test_read_time_advances_in_transaction(self):
        with self.engine.begin() as connection:
            before = db_time.read_time(connection)
            time.sleep(1.1)
            self.assertLess(before, db_time.read_time(connection))

    def test_columns_can_be_compared_with_database_time(self):
        root = self.stacks.add_stack()
        second = datetime.timedelta(seconds=1)
        now = self.now()
        self.lock(root, expires_at=FAR)
        for moment, has_come in ((now - second, True), (now, True),
                                 (now + 60 * second, False)):
            self.write(_lock, unlock_at=moment)
            with self.engine.connect() as connection:
                ids = connection.scalars(
                    sqlalchemy.select(_lock.c.id)
                    .where(_lock.c.unlock_at <= db_time.now())).all()
            self.assertEqual(has_come, bool(ids), (moment, now))


class ExpirationTimeTest(ExpiryTestCase):

    def test_expiration_time_is_written_with_lock(self):
        root = self.stacks.add_tree(2, 2)[0]
        self.lock(root, expires_at=FAR)
        entry = self.entry(root)
        self.assertEqual((FAR, FAR, 0), (entry.expires_at, entry.unlock_at,
                                         entry.unlock_attempts))
        lock = guard_row.read_lock(self.context, root)[1]
        self.assertEqual((FAR, None), (lock.expires_at, lock.pass_row))
        self.lock(root)
        self.assertEqual((None, None), (self.entry(root).expires_at,
                                        self.entry(root).unlock_at))

    def test_expiration_time_in_past_is_rejected(self):
        root = self.stacks.add_stack()
        before = self.stacks.dump()
        error = self.assertRaises(errors.StackLockInvalid, self.lock, root,
                                  expires_at=self.now())
        self.assertIn('is in the past', str(error))
        self.assertEqual(before, self.stacks.dump())


class AutoUnlockTestCase(ExpiryTestCase):
    """A stack tree whose lock expires."""

    def setUp(self):
        super().setUp()
        self.root = self.stacks.add_tree(2, 2)[0]

    def lock_until(self, seconds=-1, **lock):
        """Lock the tree for *seconds*, by default until one second ago."""
        self.lock(self.root, expires_at=FAR, **lock)
        moment = self.now() + datetime.timedelta(seconds=seconds)
        self.write(_lock, expires_at=moment, unlock_at=moment)
        return self.entry(self.root).id

    def due(self):
        return auto_unlock.find_due(self.context, 4)

    def lift(self, lock_id):
        return lock_transaction.unlock_tree(
            self.new_context(), self.root, auto_unlock.due_checker(lock_id),
            base.ENGINE, check_session=functools.partial(
                auto_unlock.require_due, lock_id=lock_id))

    def extend(self, wanted):
        context = self.new_context()
        check = lock_request.transaction_check(
            context, self.stack(self.root), operations.EXTEND_LOCK)
        service.write_expiration(context, self.root, check, wanted)


class AutoUnlockTest(AutoUnlockTestCase):

    def test_find_due_returns_expired_locks(self):
        self.assertEqual([], self.due())
        self.lock_until(60)
        self.assertEqual([], self.due())
        lock_id = self.lock_until()
        entry, = self.due()
        self.assertEqual((lock_id, self.root, 0), (
            entry.id, entry.stack_id, entry.unlock_attempts))
        self.write(_lock, status=states.IN_PROGRESS)
        self.assertEqual([], self.due())

    def test_lock_of_deleted_stack_is_not_due(self):
        self.lock_until()
        self.assertEqual(1, len(self.due()))
        # As an engine without stack_lock deletes it.
        self.write(_stack, deleted_at=datetime.datetime(2026, 11, 20))
        self.assertEqual([], self.due())

    def test_unlock_is_retried_with_increasing_delays(self):
        self.lock_until()
        for pause in (60, 120, 240, 480, 960, 1920, 3840, 7680, 15360, 30720,
                      61440, 86400, 86400):
            before, (entry,) = self.now(), self.due()
            self.assertTrue(auto_unlock.reserve_lock(self.context, entry))
            unlock_at = self.entry(self.root).unlock_at
            seconds = (unlock_at - before).total_seconds()
            self.assertTrue(pause <= seconds <= pause + 10, seconds)
            self.assertFalse(auto_unlock.reserve_lock(self.context, entry))
            self.assertEqual([], self.due())
            self.write(_lock, unlock_at=before)

    def test_one_of_two_engines_reserves_unlock(self):
        threads = self.useFixture(race.Threads())
        for _ in range(5):
            self.lock_until()
            entry, = self.due()
            attempts = [threads.start(auto_unlock.reserve_lock,
                                      self.new_context(), entry)
                        for _ in range(2)]
            self.assertEqual([False, True], sorted(
                attempt.result() for attempt in attempts))
            self.assertEqual(1, self.entry(self.root).unlock_attempts)

    def test_lock_is_removed_only_after_expiration(self):
        lock_id = self.lock_until(60)
        before = self.stacks.dump()
        self.assertRaises(auto_unlock.NotDue, self.lift, lock_id)
        self.assertRaises(auto_unlock.NotDue, self.lift, 'another')
        self.assertEqual(before, self.stacks.dump())
        self.lift(self.lock_until())
        self.assertIsNone(self.stack(self.root).lock_level)
        self.assertIsNone(self.entry(self.root))

    def test_lock_operation_in_progress_is_not_interrupted(self):
        for action in states.LOCK, states.UNLOCK:
            lock_id = self.lock_until()
            self.write(_lock, action=action, status=states.IN_PROGRESS)
            self.assertRaises(auto_unlock.NotDue, self.lift, lock_id)
            self.write(_lock, status=states.COMPLETE, action=states.LOCK)

    def test_lock_is_either_extended_or_removed(self):
        threads = self.useFixture(race.Threads())
        for _ in range(6):
            lock_id = self.lock_until()
            attempts = [threads.start(self.extend, FAR),
                        threads.start(self.lift, lock_id)]
            extended, lifted = (attempt.exception() for attempt in attempts)
            if extended is None:
                self.assertIsInstance(lifted, auto_unlock.NotDue)
                self.assertEqual(FAR, self.entry(self.root).expires_at)
                self.assertIsNotNone(self.stack(self.root).lock_level)
            else:
                self.assertIsInstance(extended, errors.StackLockConflict)
                self.assertIsNone(lifted)
                self.assertIsNone(self.entry(self.root))
                self.assertIsNone(self.stack(self.root).lock_level)

    def test_extension_resets_unlock_attempts(self):
        self.lock_until()
        entry, = self.due()
        auto_unlock.reserve_lock(self.context, entry)
        self.extend(FAR)
        entry = self.entry(self.root)
        self.assertEqual((FAR, 0), (entry.unlock_at, entry.unlock_attempts))
        self.extend(None)
        self.assertIsNone(self.entry(self.root).unlock_at)
