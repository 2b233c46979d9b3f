# SPDX-License-Identifier: Apache-2.0

"""The tag that protects from deletion, and requests without it."""

import types

import fixtures
import testtools

from heat_extras.stack_lock.delete_protection import protection_tag


class TagTestCase(testtools.TestCase):
    tags = {'keep-all': True, 'keep': False}

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MockPatchObject(
            protection_tag, 'configured_tags', return_value=self.tags))

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

    def test_each_protection_tag_is_kept(self):
        self.assertEqual(['keep-all'], self.kept(['keep-all'], []))
        self.assertEqual({'keep', 'keep-all', 'old'}, set(self.kept(
            ['keep', 'keep-all'], ['old'])))

    def test_protection_tag_is_not_added_to_untagged_stack(self):
        self.assertEqual([], self.kept([], []))
        self.assertEqual([], self.kept(['other'], []))

    def test_nested_stacks_get_no_protection_tag(self):
        self.assertEqual([], self.kept(['keep'], [], owner_id='root'))


class FieldsOfBodyTest(TagTestCase):

    def test_only_root_stacks_with_tag_are_shown_as_protected(self):
        deletion = {'delete_protected': True}
        resources = {**deletion, 'delete_protection_resources': True}
        for info, wanted in (({'tags': ['keep']}, deletion),
                             ({'tags': ['keep-all']}, resources),
                             ({'tags': ['keep', 'keep-all']}, resources),
                             ({'tags': ['other']}, {}),
                             ({'tags': None}, {}), ({}, {}),
                             ({'tags': ['keep'], 'parent': 'x'}, {}),
                             ({'tags': ['keep-all'], 'parent': 'x'}, {})):
            self.assertEqual(wanted, protection_tag.fields_of_body(info), info)
