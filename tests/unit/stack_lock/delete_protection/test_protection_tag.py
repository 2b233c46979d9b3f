# SPDX-License-Identifier: Apache-2.0

"""The tag that protects, and requests that do not name it."""

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


class KeepTest(TagTestCase):

    def test_a_request_that_names_no_tags_keeps_it(self):
        for args in None, {}, {'tags': None}:
            self.assertEqual(['keep'], self.kept(['keep', 'other'], [], args))

    def test_beside_those_that_are_restored(self):
        self.assertEqual(['old', 'keep'], self.kept(['keep'], ['old']))
        self.assertEqual(['keep'], self.kept(['keep'], ['keep']))

    def test_a_request_that_names_tags_takes_it_away(self):
        for new in [], [''], ['other']:
            self.assertEqual(new, self.kept(['keep'], new, {'tags': new}))

    def test_it_comes_from_nowhere(self):
        self.assertEqual([], self.kept([], []))
        self.assertEqual([], self.kept(['other'], []))

    def test_nested_stacks_have_that_of_their_root(self):
        self.assertEqual([], self.kept(['keep'], [], owner_id='root'))


class BeginTest(TagTestCase):
    """A legacy update that has StackLock, and was told nobody yet."""

    def begun(self, now, loaded, new, args=None, owner_id=None):
        """Return the tags that are stored first, and those of the end.

        :param now: those in the database.
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

    def test_one_that_sets_it_has_set_it_from_the_beginning(self):
        new = ['keep', 'b']
        self.assertEqual((['a', 'keep'], new), self.begun(
            ['a'], ['a'], new, {'tags': new}))
        self.stored.assert_called_once_with(None, '1', ['a', 'keep'])

    def test_one_that_takes_it_away_has_not_yet(self):
        self.assertEqual((['keep'], ['b']), self.begun(
            ['keep'], ['keep'], ['b'], {'tags': ['b']}))
        self.stored.assert_not_called()

    def test_it_came_after_the_stack_was_loaded(self):
        self.assertEqual(([], ['keep']), self.begun(['keep'], [], []))

    def test_and_the_request_names_others(self):
        self.assertEqual(([], ['b']), self.begun(
            ['keep'], [], ['b'], {'tags': ['b']}))

    def test_nested_stacks_have_that_of_their_root(self):
        self.assertEqual(([], ['keep']), self.begun(
            [], [], ['keep'], owner_id='root'))


class ShownTest(TagTestCase):

    def test_only_roots_with_the_tag(self):
        for info, wanted in (({'tags': ['keep']}, True),
                             ({'tags': ['other']}, False),
                             ({'tags': None}, False), ({}, False),
                             ({'tags': ['keep'], 'parent': 'x'}, False)):
            self.assertEqual(wanted, protection_tag.is_in_body(info), info)


class NoTagTest(TagTestCase):
    """Where no tag protects, nothing is asked and nothing is kept."""

    name = None

    def test_nothing_is_asked(self):
        self.assertIsNone(protection_tag.tag_of_stack(None, 'id'))
        self.assertEqual('true', str(protection_tag.tag_is_absent()))
        self.assertFalse(protection_tag.is_in_body({'tags': ['keep']}))

    def test_nothing_is_kept(self):
        self.assertEqual([], self.kept(['keep'], []))


class UnlessOvertakenTest(TagTestCase):
    """Whose tags are written by Heat's own function, and asked nothing."""

    def how(self, stack_id='1', **fields):
        stack = types.SimpleNamespace(**{
            'id': '1', 'owner_id': None, 'convergence': True, **fields})
        with protection_tag.write_tags_if_current(stack):
            return protection_tag.wrapped_tags_write(len, stack_id)

    def test_those_of_a_root_with_convergence_are_asked(self):
        self.assertIsNot(len, self.how())

    def test_all_others(self):
        for fields in ({'stack_id': '2'}, {'owner_id': '3'},
                       {'convergence': False}):
            self.assertIs(len, self.how(**fields))
        self.assertIs(len, protection_tag.wrapped_tags_write(len, '1'))

    def test_where_no_tag_protects(self):
        self.useFixture(fixtures.MockPatchObject(
            protection_tag, 'configured_tag', return_value=None))
        self.assertIs(len, self.how())
