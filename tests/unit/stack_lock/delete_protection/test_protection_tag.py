# SPDX-License-Identifier: Apache-2.0

"""The tag that protects from deletion, and requests without it."""

import types

import fixtures
import testtools

from heat_extras.stack_lock.delete_protection import protection_tag


class TagTestCase(testtools.TestCase):
    name = 'keep'

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MockPatchObject(
            protection_tag, 'configured_tag', return_value=self.name))

    def kept(self, old, new, args=None, owner_id=None):
        stack = types.SimpleNamespace(tags=old, owner_id=owner_id)
        updated = types.SimpleNamespace(tags=new)
        protection_tag.keep_tag(stack, updated, args)
        return updated.tags


class KeepTagTest(TagTestCase):

    def test_request_without_tags_keeps_protection_tag(self):
        for args in None, {}, {'tags': None}:
            self.assertEqual(['keep'], self.kept(['keep', 'other'], [], args))

    def test_protection_tag_is_added_to_restored_tags(self):
        self.assertEqual(['old', 'keep'], self.kept(['keep'], ['old']))
        self.assertEqual(['keep'], self.kept(['keep'], ['keep']))

    def test_request_with_other_tags_removes_protection_tag(self):
        for new in [], [''], ['other']:
            self.assertEqual(new, self.kept(['keep'], new, {'tags': new}))

    def test_protection_tag_is_not_added_to_untagged_stack(self):
        self.assertEqual([], self.kept([], []))
        self.assertEqual([], self.kept(['other'], []))

    def test_nested_stacks_get_no_protection_tag(self):
        self.assertEqual([], self.kept(['keep'], [], owner_id='root'))


class WriteTagEarlyTest(TagTestCase):
    """A legacy update that has the StackLock, before its response."""

    def begun(self, now, loaded, new, args=None, owner_id=None):
        """Return the tags at the start of the update, and at its end.

        :param now: the tags in the database.
        """
        self.useFixture(fixtures.MockPatchObject(
            protection_tag.stack_tag.StackTagList, 'get',
            return_value=[types.SimpleNamespace(tag=each) for each in now]))
        self.stored = self.useFixture(fixtures.MockPatchObject(
            protection_tag.stack_tag.StackTagList, 'set')).mock
        stack = types.SimpleNamespace(id='1', context=None, tags=loaded,
                                      owner_id=owner_id)
        updated = types.SimpleNamespace(tags=new)
        protection_tag.keep_tag(stack, updated, args)
        protection_tag.write_tag_early(stack, updated)
        return stack.tags, updated.tags

    def test_added_protection_tag_is_stored_at_start(self):
        new = ['keep', 'b']
        self.assertEqual((['a', 'keep'], new), self.begun(
            ['a'], ['a'], new, {'tags': new}))
        self.stored.assert_called_once_with(None, '1', ['a', 'keep'])

    def test_removed_protection_tag_stays_until_end(self):
        self.assertEqual((['keep'], ['b']), self.begun(
            ['keep'], ['keep'], ['b'], {'tags': ['b']}))
        self.stored.assert_not_called()

    def test_protection_tag_set_after_load_is_kept(self):
        self.assertEqual(([], ['keep']), self.begun(['keep'], [], []))

    def test_protection_tag_set_after_load_is_removed_by_request(self):
        self.assertEqual(([], ['b']), self.begun(
            ['keep'], [], ['b'], {'tags': ['b']}))

    def test_tag_of_nested_stack_is_not_stored_at_start(self):
        self.assertEqual(([], ['keep']), self.begun(
            [], [], ['keep'], owner_id='root'))


class IsInBodyTest(TagTestCase):

    def test_only_root_stacks_with_tag_are_shown_as_protected(self):
        for info, wanted in (({'tags': ['keep']}, True),
                             ({'tags': ['other']}, False),
                             ({'tags': None}, False), ({}, False),
                             ({'tags': ['keep'], 'parent': 'x'}, False)):
            self.assertEqual(wanted, protection_tag.is_in_body(info), info)


class NoTagTest(TagTestCase):
    """Without a configured tag, no tag is queried or kept."""

    name = None

    def test_tags_are_not_queried_without_configured_tag(self):
        self.assertIsNone(protection_tag.tag_of_stack(None, 'id'))
        self.assertEqual('true', str(protection_tag.tag_is_absent()))
        self.assertFalse(protection_tag.is_in_body({'tags': ['keep']}))

    def test_no_tag_is_kept_without_configured_tag(self):
        self.assertEqual([], self.kept(['keep'], []))


class WriteTagsIfCurrentTest(TagTestCase):
    """Stacks whose tags are written with and without a check."""

    def how(self, stack_id='1', **fields):
        stack = types.SimpleNamespace(**{
            'id': '1', 'owner_id': None, 'convergence': True, **fields})
        with protection_tag.write_tags_if_current(stack):
            return protection_tag.wrapped_tags_write(len, stack_id)

    def test_tags_of_convergence_root_are_written_conditionally(self):
        self.assertIsNot(len, self.how())

    def test_tags_of_other_stacks_are_written_unconditionally(self):
        for fields in ({'stack_id': '2'}, {'owner_id': '3'},
                       {'convergence': False}):
            self.assertIs(len, self.how(**fields))
        self.assertIs(len, protection_tag.wrapped_tags_write(len, '1'))

    def test_tags_are_written_unconditionally_without_configured_tag(self):
        self.useFixture(fixtures.MockPatchObject(
            protection_tag, 'configured_tag', return_value=None))
        self.assertIs(len, self.how())
