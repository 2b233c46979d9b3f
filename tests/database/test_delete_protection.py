# SPDX-License-Identifier: Apache-2.0

"""Concurrent protect and delete requests, in every order.

Of the two one is refused, or the one had ended before the other began.
"""

import contextlib
import types
from unittest import mock

import fixtures
from heat.common import service_utils
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.objects import stack_tag

from heat_extras.heat_internals import guarded_stacks
from heat_extras.heat_internals import heartbeat
from heat_extras import rpc_request
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock.delete_protection import service as delete_service
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import states
from tests.database import base
from tests.database import race

_BEGUN = {'action': 'DELETE', 'status': 'IN_PROGRESS'}


class Kept(Exception):
    """A deletion found the protection."""


REFUSALS = (errors.StackLockConflict, Kept)


class DeleteProtectionTestCase(base.DatabaseTest):
    """A root stack, its protection, and the steps of a deletion."""

    def setUp(self):
        super().setUp()
        self.threads = self.useFixture(race.Threads())
        self.root_id = self.stacks.add_stack()
        for name in ('lock_request.check_all_guarded',
                     'override_policy.rank_of'):
            self.useFixture(fixtures.MockPatch(
                f'heat_extras.stack_lock.delete_protection.service.{name}',
                return_value='member'))
        self.useFixture(fixtures.MockPatchObject(
            delete_service.lock_request, 'load_root',
            lambda service, context, identity, verb: types.SimpleNamespace(
                id=self.root_id, name='web')))
        self.alive = self.useFixture(fixtures.MockPatchObject(
            service_utils, 'engine_alive', return_value=True)).mock
        self.intent = delete_intent.DeleteIntent(base.ENGINE)

    def protect(self):
        delete_service.protect(mock.Mock(engine_id=base.ENGINE),
                               self.new_context(user_id='alice'), None,
                               {'reason': 'why'})
        return True

    def unprotect(self):
        delete_service.unprotect(mock.Mock(engine_id=base.ENGINE),
                                 self.new_context(), None)

    def take(self):
        """Store the intent, as a deletion does before it stops operations."""
        if self.intent.store(self.new_context(), self.root_id).is_set:
            raise Kept()
        return True

    def begin(self, pause=bool):
        """Start a deletion, as Heat does."""
        context = self.new_context()
        with db_api.context_manager.writer.using(context):
            begun = db_api.stack_update(context, self.root_id, _BEGUN)
            pause()
        if not begun:
            raise Kept()
        return True

    @contextlib.contextmanager
    def deleting(self, engine_id):
        """Set a request to delete the stack, with its intent."""
        request = rpc_request.Request(states.DELETE, self.new_context(),
                                      mock.Mock(engine_id=engine_id))
        with rpc_request.processing(request), delete_intent.intend(
                request) as own:
            yield own

    def live(self, *engine_ids):
        self.useFixture(fixtures.MockPatchObject(
            heartbeat.live_engines, 'read_live',
            return_value=[types.SimpleNamespace(engine_id=each)
                          for each in engine_ids]))

    def intents(self):
        return delete_intent.engines_deleting(self.stack(self.root_id))

    def tag(self, *names):
        """Configure a protection tag, and set this tag or other tags."""
        self.useFixture(fixtures.MockPatchObject(
            protection_tag, 'configured_tags', return_value={'keep': False}))
        stack_tag.StackTagList.set(self.new_context(), self.root_id,
                                   names or ['keep'])

    def is_protected(self):
        return self.stack(self.root_id).delete_protection_id is not None

    def pause_in_hold(self):
        pause, original = race.Pause(), delete_intent.lock_root_row

        def paused(*arguments):
            row = original(*arguments)
            pause()
            return row
        self.useFixture(fixtures.MockPatchObject(
            delete_intent, 'lock_root_row', paused))
        self.addCleanup(pause.resume)
        return pause

    def both(self, first, second, pause):
        """Pause the first inside its transaction while the second runs."""
        first_thread = self.threads.start(first)
        pause.wait(first_thread)
        other = self.threads.start(second)
        race.settle(other)
        pause.resume()
        return race.outcome(first_thread, REFUSALS), race.outcome(other,
                                                                  REFUSALS)


class DeleteProtectionTest(DeleteProtectionTestCase):

    def test_delete_is_rejected_if_protect_comes_first(self):
        for deletion in (self.begin, self.take):
            self.assertEqual((True, False), self.both(
                self.protect, deletion, self.pause_in_hold()))
            self.assertTrue(self.is_protected())
            self.unprotect()

    def test_protect_is_rejected_if_delete_comes_first(self):
        pause = race.Pause()
        self.addCleanup(pause.resume)
        self.assertEqual((True, False), self.both(
            lambda: self.begin(pause), self.protect, pause))
        self.assertFalse(self.is_protected())

    def test_protect_is_rejected_if_delete_intent_comes_first(self):
        self.assertEqual((True, False), self.both(
            self.take, self.protect, self.pause_in_hold()))
        self.assertFalse(self.is_protected())
        self.intent.end()
        self.assertTrue(self.protect())

    def test_protect_is_rejected_until_all_delete_intents_end(self):
        other = delete_intent.DeleteIntent('other')
        self.take()
        other.store(self.context, self.root_id)
        self.intent.end()
        self.assertRaises(errors.StackLockConflict, self.protect)
        other.end()
        self.assertTrue(self.protect())

    def test_delete_intent_of_dead_engine_is_removed(self):
        self.intent = delete_intent.DeleteIntent('dead')
        self.take()
        self.assertRaises(errors.StackLockConflict, self.protect)
        self.alive.return_value = False
        self.live('dead')
        self.assertRaises(errors.StackLockConflict, self.protect)
        self.live('other')
        self.assertTrue(self.protect())
        self.assertEqual(set(), self.intents())

    def test_delete_of_engine_considered_down_is_rejected(self):
        traversal = self.stack(self.root_id).current_traversal
        with self.deleting('slow') as own:
            own.store(self.new_context(), self.root_id)
            self.alive.return_value = False
            self.assertTrue(self.protect())
            for values in {'current_traversal': 'new'}, _BEGUN:
                self.assertFalse(db_api.stack_update(
                    self.new_context(), self.root_id, values))
            self.unprotect()
            self.assertFalse(db_api.stack_update(
                self.new_context(), self.root_id, _BEGUN))
        self.assertEqual(traversal,
                         self.stack(self.root_id).current_traversal)

    def test_partly_ended_operation_is_ended_despite_protect(self):
        with self.deleting('slow') as own:
            own.store(self.new_context(), self.root_id)
            for values in {'current_traversal': 'new'}, {'status': 'FAILED'}:
                self.assertTrue(db_api.stack_update(
                    self.new_context(), self.root_id, values))
                self.alive.return_value = False
                self.assertTrue(self.protect())
            self.assertFalse(db_api.stack_update(
                self.new_context(), self.root_id, _BEGUN))

    def test_delete_continues_if_tag_is_set_after_intent(self):
        with self.deleting(base.ENGINE) as own:
            own.store(self.new_context(), self.root_id)
            self.tag()
            self.assertTrue(db_api.stack_update(
                self.new_context(), self.root_id, _BEGUN))

    def test_delete_is_rejected_if_tag_comes_first(self):
        self.tag()
        self.assertRaises(Kept, self.take)
        self.assertRaises(Kept, self.begin)
        self.assertEqual(set(), self.intents())

    def test_tag_set_by_update_rejects_delete(self):
        stack = types.SimpleNamespace(id=self.root_id, owner_id=None)
        updated = types.SimpleNamespace(tags=['other', 'keep'])
        self.useFixture(fixtures.MockPatchObject(
            protection_tag, 'configured_tags', return_value={'keep': False}))
        traversal = self.stack(self.root_id).current_traversal

        def update(expected, pause=bool):
            context = self.new_context()
            with protection_tag.insert_tag_with_update(stack, updated), (
                    db_api.context_manager.writer.using(context)):
                written = db_api.stack_update(
                    context, self.root_id, {'status': 'IN_PROGRESS'},
                    exp_trvsl=expected)
                pause()
            return written
        self.assertFalse(update('another'))
        self.assertEqual([], self.stacks.rows(heat_models.StackTag))
        pause = race.Pause()
        self.addCleanup(pause.resume)
        self.assertEqual((True, False), self.both(
            lambda: update(traversal, pause), self.take, pause))
        self.assertTrue(update(traversal))
        self.assertEqual(['keep'], [row.tag for row in self.stacks.rows(
            heat_models.StackTag)])

    def test_tags_of_superseded_traversal_are_not_written(self):
        traversal = self.stack(self.root_id).current_traversal
        late = types.SimpleNamespace(id=self.root_id, owner_id=None,
                                     convergence=True,
                                     current_traversal=traversal)

        def write(*names):
            with protection_tag.write_tags_if_current(late):
                if names:
                    stack_tag.StackTagList.set(self.new_context(),
                                               self.root_id, list(names))
                else:
                    stack_tag.StackTagList.delete(self.new_context(),
                                                  self.root_id)
            return sorted(row.tag for row in self.stacks.rows(
                heat_models.StackTag))
        self.tag('one')
        before = self.stack(self.root_id).updated_at
        self.assertEqual(['two'], write('two'))
        self.assertEqual([], write())
        self.assertEqual(before, self.stack(self.root_id).updated_at)
        late.current_traversal = 'another'
        self.tag('keep')
        self.assertEqual(['keep'], write('two'))
        self.assertEqual(['keep'], write())

    def test_similar_tags_do_not_protect(self):
        self.tag('Keep', 'keep ', 'keeper')
        self.assertTrue(self.take())
        self.assertTrue(self.begin())

    def test_read_root_returns_root_of_stack(self):
        child = self.stacks.add_stack(self.root_id)
        nested = self.stack(self.stacks.add_stack(child))
        self.assertEqual(self.root_id,
                         guarded_stacks.read_root(self.context, nested).id)
        for stack in (self.stack(self.root_id), types.SimpleNamespace(
                id='gone', owner_id=self.root_id)):
            self.assertIs(stack, guarded_stacks.read_root(self.context, stack))

    def test_protected_stack_can_be_updated_but_not_deleted(self):
        self.protect()
        for values in ({'action': 'UPDATE', 'status': 'IN_PROGRESS'},
                       {'action': 'ROLLBACK', 'status': 'IN_PROGRESS'}):
            self.assertTrue(db_api.stack_update(self.context, self.root_id,
                                                values))
        self.assertRaises(Kept, self.begin)
        self.assertEqual('ROLLBACK', self.stack(self.root_id).action)
        self.unprotect()
        self.assertTrue(self.begin())
        self.assertRaises(errors.StackLockConflict, self.protect)
