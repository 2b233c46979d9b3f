# SPDX-License-Identifier: Apache-2.0

"""Use, revocation and expiration of a lock pass, in every order."""

import datetime
from unittest import mock

import fixtures
from heat.common import service_utils
from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.db import operator_locks
from heat_extras.db import stack_columns
from heat_extras.patches import objects_stack
from heat_extras import rpc_request
from heat_extras.stack_lock import auto_unlock
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_pass
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import pass_use
from heat_extras.stack_lock import tree_rows
from heat_extras.stack_lock import write_criteria
from tests.database import base
from tests.database import race
from tests.database import stack_rows

_BEGUN = {'action': 'UPDATE', 'status': 'IN_PROGRESS'}
_LOCKED, _PASSING, _FREE = ('stacks', None), (None, 'stacks'), (None, None)


class Lost(Exception):
    """The pass was no longer valid."""


REFUSALS = (Lost, errors.StackLockConflict, errors.StackLocked)


def allow(lock):
    """Check a lock as a grant or revoke request does."""
    if lock.refuses(operations.LOCK_PASS):
        raise errors.StackLockConflict(message='used')


def using(pass_use):
    """Set an update that can use a pass as the request of this thread."""
    return rpc_request.processing(rpc_request.Request(
        operations.UPDATE, pass_use.context, pass_use=pass_use))


class LockPassTestCase(base.DatabaseTest):

    def setUp(self):
        super().setUp()
        self.threads = self.useFixture(race.Threads())
        self.ids = self.stacks.add_tree(3, levels=2)
        self.root_id = self.ids[0]
        self.useFixture(fixtures.MockPatchObject(
            service_utils, 'engine_alive', return_value=True))
        self.lock(self.root_id)
        self.bob = {'user': {'id': 'bob', 'name': 'bob',
                             'domain': {'id': 'd1', 'name': 'Users'}}}

    def grant(self, user='bob', project=stack_rows.PROJECT):
        with self.engine.connect() as connection:
            until = db_time.read_time(connection) + datetime.timedelta(hours=1)
        lock_pass.grant(self.new_context(), self.root_id, allow, {
            'pass_user_id': user, 'pass_user_name': None,
            'pass_user_domain': None, 'pass_expires_at': until,
            'pass_reason': None, 'pass_granted_by': 'alice',
            'pass_granted_by_project': project})
        return True

    def revoke(self):
        lock_pass.revoke(self.new_context(), self.root_id, allow)
        return True

    def unlock(self):
        lock_transaction.unlock_tree(self.new_context(), self.root_id,
                                     base.allow)
        return True

    def admitted(self):
        request = rpc_request.Request(operations.UPDATE, self.new_context(
            auth_token_info={'token': self.bob}))
        lock = guard_row.read_lock(self.context, self.root_id)[1]
        with rpc_request.processing(request):
            pass_use.may_pass(self.stack(self.root_id), lock,
                              operations.UPDATE)
        return request.pass_use

    def use(self, pass_use=None):
        """Start an update with a pass, as Heat does."""
        pass_use = pass_use or self.admitted()
        traversal = self.stack(self.root_id).current_traversal
        with using(pass_use):
            if not db_api.stack_update(pass_use.context, self.root_id, _BEGUN,
                                       exp_trvsl=traversal):
                raise Lost()
        return True

    def finish(self):
        with self.engine.begin() as connection:
            connection.execute(
                sqlalchemy.update(heat_models.Stack.__table__)
                .values(status='COMPLETE'))

    def close(self):
        return pass_use.relock_if_idle(self.new_context(is_admin=True),
                                       self.root_id)

    def nest(self):
        """Create a nested stack in the stack tree, as its parent does."""
        return db_api.stack_create(self.new_context(), {
            'id': uuidutils.generate_uuid(), 'name': 'late',
            'tenant': stack_rows.PROJECT, 'owner_id': self.ids[1],
            'raw_template_id': self.stack(self.root_id).raw_template_id,
            'action': 'CREATE', 'status': 'COMPLETE', 'convergence': True,
            'disable_rollback': True, 'backup': False})

    def levels(self):
        return {(row.lock_level, row.lock_passing)
                for row in self.stacks.rows(heat_models.Stack)}

    def entry(self):
        with self.engine.connect() as connection:
            return connection.execute(
                sqlalchemy.select(models.guard_table)).one()

    def both(self, first, second, step='select_for_update'):
        """Pause the first inside its transaction while the second runs."""
        paused = self.useFixture(race.PausedLock(step))
        first_thread = self.threads.start(first)
        paused.pause.wait(first_thread)
        other = self.threads.start(second)
        race.settle(other)
        paused.pause.resume()
        return race.outcome(first_thread, REFUSALS), race.outcome(other,
                                                                  REFUSALS)


class EventTest(LockPassTestCase):
    """All users of the stack's project can read its events."""

    def told(self, project):
        self.grant(project=project)
        self.use()
        return [row.resource_status_reason
                for row in self.stacks.rows(heat_models.Event,
                                            stack_id=self.root_id)][-2:]

    def test_events_name_pass_user(self):
        granted, used = self.told(stack_rows.PROJECT)
        self.assertIn('granted to the user with the ID bob, for', granted)
        self.assertEqual('An update by the user with the ID bob has '
                         'started with the lock pass', used)

    def test_events_hide_user_if_granted_by_other_project(self):
        granted, used = self.told('another')
        self.assertIn('granted by a user of another project, for', granted)
        self.assertEqual('An update has started with the lock pass', used)


class UseTest(LockPassTestCase):

    def setUp(self):
        super().setUp()
        self.grant()

    def test_pass_opens_stack_tree_and_lock_is_reenabled(self):
        before = [self.stack(id) for id in self.ids]
        self.assertTrue(self.use())
        self.assertEqual({_PASSING}, self.levels())
        self.assertFalse(self.close())
        self.finish()
        self.assertTrue(self.close())
        self.assertEqual({_LOCKED}, self.levels())
        after = [self.stack(id) for id in self.ids]
        for first, other in zip(before, after, strict=True):
            self.assertEqual(first.lock_id, other.lock_id)
            self.assertNotEqual(first.current_traversal,
                                other.current_traversal)
        self.assertIsNone(self.entry().pass_granted_at)
        # A writer that loaded the stack before is rejected.
        self.assertFalse(db_api.stack_update(
            self.context, self.root_id, {'status': 'FAILED'}))
        self.assertFalse(self.close())

    def test_update_with_wrong_traversal_keeps_pass(self):
        pass_use = self.admitted()
        with using(pass_use):
            self.assertFalse(db_api.stack_update(
                pass_use.context, self.root_id, _BEGUN, exp_trvsl='another'))
        self.assertFalse(pass_use.is_consumed)
        self.assertEqual({_LOCKED}, self.levels())
        self.assertIsNone(self.entry().pass_used_at)
        self.assertTrue(self.use())

    def test_write_that_starts_no_operation_keeps_pass(self):
        """As the feature lifecycle writes to a stack that has failed."""
        pass_use = self.admitted()
        traversal = self.stack(self.root_id).current_traversal
        with using(pass_use):
            self.assertFalse(db_api.stack_update(
                pass_use.context, self.root_id, {'current_traversal': ''},
                exp_trvsl=traversal))
        self.assertFalse(pass_use.is_consumed)
        self.assertEqual({_LOCKED}, self.levels())
        self.assertTrue(self.use())

    def test_rejected_update_with_revoked_pass_adds_no_event(self):
        self.useFixture(fixtures.MockPatchObject(
            stack_columns, 'get_columns', lambda row: row))
        pass_use = self.admitted()

        def get():
            # Heat sends an event when it gets one.
            with (using(pass_use),
                  write_criteria.changed(is_persisting=True)):
                mixin = objects_stack.StackObjectMixin
                return mixin.get_by_id(
                    mixin, lambda context, stack_id: self.stack(stack_id),
                    pass_use.context, self.root_id)

        self.assertIsNotNone(get())
        self.revoke()
        self.assertIsNone(get())

    def test_pass_admits_only_one_of_two_updates(self):
        pass_uses = [self.admitted(), self.admitted()]
        self.assertEqual([False, True], sorted(self.both(
            *(lambda each=each: self.use(each) for each in pass_uses))))
        self.assertEqual({_PASSING}, self.levels())

    def test_pass_read_by_two_updates_is_used_once(self):
        """Also on SQLite, where the transaction starts after the check."""
        pass_uses = [self.admitted(), self.admitted()]
        pause, original = race.Pause(), pass_use.guard_row.lock_valid_pass

        def paused(*arguments, **named):
            result = original(*arguments, **named)
            pause()
            return result

        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.stack_lock.guard_row.lock_valid_pass', paused))
        self.addCleanup(pause.resume)
        update = self.threads.start(lambda: self.use(pass_uses[0]))
        pause.wait(update)
        other = self.threads.start(lambda: self.use(pass_uses[1]))
        race.settle(other)
        pause.resume()
        self.assertEqual([False, True], sorted(
            race.outcome(each, REFUSALS) for each in (update, other)))
        self.assertEqual({_PASSING}, self.levels())

    def test_revoke_during_use_is_rejected_or_prevents_use(self):
        pass_use = self.admitted()
        outcome = self.both(lambda: self.use(pass_use), self.revoke)
        self.assertIn(outcome, ((True, False), (False, True)))
        self.assertEqual({_PASSING if outcome[0] else _LOCKED},
                         self.levels())

    def test_use_during_revoke_is_rejected_or_prevents_revoke(self):
        pass_use = self.admitted()
        outcome = self.both(self.revoke, lambda: self.use(pass_use))
        self.assertIn(outcome, ((True, False), (False, True)))
        self.assertEqual({_PASSING if outcome[1] else _LOCKED},
                         self.levels())

    def test_relock_without_used_pass_changes_nothing(self):
        def found():
            return self.entry(), {
                row.id: row.atomic_key
                for row in self.stacks.rows(heat_models.Resource)}

        before = found()
        self.assertFalse(self.close())
        self.assertEqual(before, found())
        self.assertTrue(self.use())

    def test_pass_of_other_user_is_rejected(self):
        pass_use = self.admitted()
        self.revoke()
        self.grant('carol')
        self.assertRaises(Lost, self.use, pass_use)
        self.assertIsNone(self.admitted())
        self.assertEqual({_LOCKED}, self.levels())

    def test_pass_of_earlier_lock_is_rejected(self):
        pass_use = self.admitted()
        self.lock(self.root_id)
        self.assertRaises(Lost, self.use, pass_use)
        self.grant()
        self.assertRaises(Lost, self.use, pass_use)
        self.assertTrue(self.use())

    def test_expired_pass_is_rejected(self):
        pass_use = self.admitted()
        with self.engine.begin() as connection:
            connection.execute(
                sqlalchemy.update(models.guard_table)
                .values(pass_expires_at=db_time.now()))
        self.assertRaises(Lost, self.use, pass_use)
        self.assertIsNone(self.admitted())
        self.assertEqual({_LOCKED}, self.levels())

    def test_unlock_before_or_after_use_unlocks_stack_tree(self):
        for first, second in ((self.use, self.unlock),
                              (self.unlock, self.use)):
            pass_use = self.admitted()
            begun = {self.use: lambda pass_use=pass_use: self.use(pass_use)}
            self.both(begun.get(first, first), begun.get(second, second))
            self.assertEqual({_FREE}, self.levels())
            self.finish()
            self.lock(self.root_id)
            self.grant()


class UpdateInProgressTest(LockPassTestCase):

    def setUp(self):
        super().setUp()
        self.grant()
        self.use()

    def test_nested_stack_created_during_update_is_locked(self):
        late = self.nest()
        self.assertEqual({_PASSING}, self.levels())
        self.assertEqual(self.stack(self.root_id).lock_id,
                         self.stack(late.id).lock_id)
        self.finish()
        self.assertTrue(self.close())
        self.assertEqual({_LOCKED}, self.levels())
        self.assertRaises(errors.StackLocked, self.nest)
        self.unlock()
        self.assertEqual({_FREE}, self.levels())

    def test_nested_stack_created_during_unlock_is_unlocked(self):
        self.assertEqual((True, True), self.both(self.unlock, self.nest))
        self.assertEqual({_FREE}, self.levels())

    def test_nested_stack_created_during_unlock_query_is_unlocked(self):
        self.assertEqual((True, True), self.both(
            self.unlock, self.nest, 'stack_ids'))
        self.assertEqual({_FREE}, self.levels())

    def test_nested_stack_created_during_relock_is_locked(self):
        self.finish()
        closed, nested = self.both(self.close, self.nest)
        self.assertTrue(closed or self.close())
        self.assertEqual({_LOCKED}, self.levels())

    def test_one_of_two_engines_reenables_lock(self):
        self.finish()
        self.assertEqual([False, True],
                         sorted(self.both(self.close, self.close)))
        self.assertEqual({_LOCKED}, self.levels())

    def test_deleted_stack_is_not_relocked(self):
        with mock.patch.object(pass_use, 'relock_if_idle') as close:
            pass_use.relock_due(self.sweep())
            close.assert_called_once()
            with self.engine.begin() as connection:
                connection.execute(
                    sqlalchemy.update(heat_models.Stack.__table__)
                    .values(deleted_at=datetime.datetime(2026, 11, 20)))
            pass_use.relock_due(self.sweep())
        close.assert_called_once()

    def test_expiration_waits_for_end_of_update(self):
        past = datetime.datetime(2026, 1, 1)
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.update(models.guard_table)
                               .values(expires_at=past, unlock_at=past))
        self.assertEqual([], auto_unlock.find_due(self.context, 9))
        self.finish()
        self.close()
        self.assertEqual(1, len(auto_unlock.find_due(self.context, 9)))

    def test_operator_commands_include_lock_during_update(self):
        lock, = operator_locks.list_locks(self.engine)
        self.assertEqual(
            ('stacks', 'LOCK', 'COMPLETE'),
            (lock.level, lock.action, lock.status))
        kind, = operator_locks.count_by_kind(self.engine)
        self.assertEqual(
            ('lock', 'stacks', 'member', 'LOCK', 'COMPLETE', 1, lock.set_at),
            tuple(kind))
        self.assertEqual(
            4, len(operator_locks.list_names(self.engine, models.LOCK)))
        operator_locks.remove_all(self.engine, models.LOCK)
        self.assertEqual({_FREE}, self.levels())

    def test_lock_is_not_reenabled_while_resource_is_in_progress(self):
        self.finish()
        resource, = self.stacks.rows(heat_models.Resource,
                                     stack_id=self.ids[1])
        with self.engine.begin() as connection:
            connection.execute(
                sqlalchemy.update(heat_models.Resource.__table__)
                .where(heat_models.Resource.__table__.c.id == resource.id)
                .values(engine_id='alive', status='IN_PROGRESS'))
        self.assertFalse(self.close())
        self.assertEqual({_PASSING}, self.levels())


class FailsWhenUnprotectedTest(LockPassTestCase):

    def test_unlock_with_one_query_leaves_new_nested_stack_locked(self):
        self.grant()
        self.use()
        original, ids = tree_rows.stack_ids, [self.ids]

        def stale(session, root_id):
            return ids[0] if ids else original(session, root_id)

        self.nest()
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.stack_lock.tree_rows.stack_ids', stale))
        self.unlock()
        self.assertIn(_PASSING, self.levels())
