# SPDX-License-Identifier: Apache-2.0

"""A protection and a deletion that meet, in every order, on real servers.

Of the two one is refused, or the one had ended before the other began.
"""

import types
from unittest import mock

import fixtures
from heat.db import api as db_api
from heat.objects import stack_tag

from heat_extras.heat_internals import guard_tree
from heat_extras.stack_lock.delete_protection import check as delete_check
from heat_extras.stack_lock.delete_protection import service as delete_service
from heat_extras.stack_lock.delete_protection import tag as delete_tag
from heat_extras.stack_lock import errors
from tests.database import base
from tests.database import race

_BEGUN = {'action': 'DELETE', 'status': 'IN_PROGRESS'}


class Kept(Exception):
    """A deletion found the protection."""


REFUSALS = (errors.StackLockConflict, Kept)


class DeleteProtectionTestCase(base.DatabaseTest):
    """A root, its protection, and what a deletion does."""

    def setUp(self):
        super().setUp()
        self.threads = self.useFixture(race.Threads())
        self.root_id = self.forest.add_stack()
        for name in ('engine_check.check_all_guarded',
                     'override_policy.rank_of'):
            self.useFixture(fixtures.MockPatch(
                f'heat_extras.stack_lock.delete_protection.service.{name}',
                return_value='member'))
        self.useFixture(fixtures.MockPatchObject(
            delete_service.lock_request, 'root_row',
            lambda service, context, identity, verb: types.SimpleNamespace(
                id=self.root_id, name='web')))

    def protect(self):
        delete_service.protect(mock.Mock(engine_id=base.ENGINE),
                               self.new_context(), None, 'why')
        return True

    def unprotect(self):
        delete_service.unprotect(mock.Mock(engine_id=base.ENGINE),
                                 self.new_context(), None)

    def begin(self, pause=bool):
        """Do what begins a deletion, as Heat does."""
        context = self.new_context()
        with db_api.context_manager.writer.using(context):
            begun = db_api.stack_update(context, self.root_id, _BEGUN)
            pause()
        if not begun:
            raise Kept()
        return True

    def tag(self, *names):
        """Let a tag protect, and set it, or others."""
        self.useFixture(fixtures.MockPatchObject(
            delete_tag, 'configured_tag', return_value='keep'))
        stack_tag.StackTagList.set(self.new_context(), self.root_id,
                                   names or ['keep'])

    def is_protected(self):
        return self.stack(self.root_id).delete_protection_id is not None

    def pause_in_protect(self):
        pause, original = race.Pause(), delete_check.read_protection

        def paused(*arguments):
            pause()
            return original(*arguments)
        self.useFixture(fixtures.MockPatchObject(
            delete_check, 'read_protection', paused))
        self.addCleanup(pause.resume)
        return pause

    def both(self, first, second, pause):
        """Stop the first inside its transaction, and let the second go."""
        one = self.threads.start(first)
        pause.wait(one)
        other = self.threads.start(second)
        race.settle(other)
        pause.resume()
        return race.outcome(one, REFUSALS), race.outcome(other, REFUSALS)


class DeleteProtectionTest(DeleteProtectionTestCase):

    def test_a_protection_that_is_first(self):
        self.assertEqual((True, False), self.both(
            self.protect, self.begin, self.pause_in_protect()))
        self.assertTrue(self.is_protected())

    def test_a_deletion_that_is_first(self):
        pause = race.Pause()
        self.addCleanup(pause.resume)
        self.assertEqual((True, False), self.both(
            lambda: self.begin(pause), self.protect, pause))
        self.assertFalse(self.is_protected())

    def test_a_tag_that_is_first(self):
        self.tag()
        self.assertRaises(Kept, self.begin)

    def test_tags_that_are_like_it(self):
        self.tag('Keep', 'keep ', 'keeper')
        self.assertTrue(self.begin())

    def test_the_root_of_a_stack(self):
        child = self.forest.add_stack(self.root_id)
        nested = self.stack(self.forest.add_stack(child))
        self.assertEqual(self.root_id,
                         guard_tree.root(self.context, nested).id)
        for found in (self.stack(self.root_id), types.SimpleNamespace(
                id='gone', owner_id=self.root_id)):
            self.assertIs(found, guard_tree.root(self.context, found))

    def test_what_a_protected_stack_may(self):
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
