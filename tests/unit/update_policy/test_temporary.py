# SPDX-License-Identifier: Apache-2.0

"""Tests of which members a rolling update has made for its batches."""

from unittest import mock

import fixtures
import testtools

from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import operation
from heat_extras.update_policy import temporary

_KEPT = {'resources': {'1': []}}


class TemporaryTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.operation = operation.Operation('UPDATE', 'key')
        self.useFixture(fixtures.MockPatchObject(
            operation, 'of', lambda *arguments: self.operation))
        self.useFixture(fixtures.MockPatchObject(
            baseline, 'read', lambda context, stack_id, kind, update:
            self.kept if update == 'key' else None))
        self.useFixture(fixtures.MockPatchObject(
            baseline, 'last', lambda *arguments: self.kept))
        self.kept = _KEPT
        self.stack = mock.Mock(id='nested', owner_id='root')

    def is_of_this_update(self, row_id):
        return temporary.is_of_this_update(self.stack, row_id)

    def test_what_is_new_since_the_update_began(self):
        self.assertFalse(self.is_of_this_update(1))
        self.assertTrue(self.is_of_this_update(2))

    def test_what_an_earlier_update_brought_is_not(self):
        self.operation = operation.Operation('UPDATE', 'key',
                                             is_in_progress=False)
        self.assertFalse(self.is_of_this_update(2))
        self.operation = operation.Operation('UPDATE', 'other')
        self.assertFalse(self.is_of_this_update(2))

    def test_nor_is_what_a_root_stack_has(self):
        self.stack.owner_id = None
        self.assertFalse(self.is_of_this_update(2))

    def is_left_over(self, row_id, name, asked_for=('0', '1')):
        self.useFixture(fixtures.MockPatchObject(
            temporary, '_asked_for', lambda plan, name: asked_for))
        row = mock.Mock(id=row_id)
        row.name = name
        return temporary.is_left_over(mock.Mock(stack=self.stack), row)

    def test_what_no_template_asked_for_is_left_over(self):
        self.assertTrue(self.is_left_over(2, '2'))
        # A member that was there before, and one that is asked for.
        self.assertFalse(self.is_left_over(1, '2'))
        self.assertFalse(self.is_left_over(2, '1'))

    def test_what_came_by_the_id_of_the_nested_stack_is_not(self):
        self.kept = {**_KEPT, 'entry': 'root'}
        self.assertTrue(self.is_left_over(2, '2'))
        self.kept = {**_KEPT, 'entry': 'nested'}
        self.assertFalse(self.is_left_over(2, '2'))

    def test_nothing_is_where_it_is_not_known_what_was(self):
        self.kept = None
        self.assertFalse(self.is_left_over(2, '2'))
