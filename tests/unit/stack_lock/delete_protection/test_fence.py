# SPDX-License-Identifier: Apache-2.0

"""What which UPDATE of a stack asks for. On servers: tests/database."""

from unittest import mock

import fixtures
import sqlalchemy
import testtools

from heat_extras.stack_lock.delete_protection import claim
from heat_extras.stack_lock.delete_protection import fence
from heat_extras.stack_lock.delete_protection import tag

BEGINS = {'action': 'DELETE', 'status': 'IN_PROGRESS'}
OTHERS = {'current_traversal': 'new'}


class CriteriaTest(testtools.TestCase):

    def criteria(self, values, held=None, wanted='keep'):
        # Ours is on Heat's class only in an engine.
        self.useFixture(fixtures.MockPatchObject(
            fence, 'heat_models', mock.Mock(**{
                f'Stack.{name}': sqlalchemy.column(name) for name in (
                    'delete_protection_id', 'action', 'status')})))
        for module, name, found in ((claim, 'held', held),
                                    (tag, 'wanted', wanted)):
            self.useFixture(fixtures.MockPatchObject(
                module, name, return_value=found))
        return ' AND '.join(map(str, fence.criteria(values)))

    def test_most_ask_for_nothing(self):
        self.assertEqual('', self.criteria(OTHERS))

    def test_what_begins_a_deletion_asks_for_both(self):
        found = self.criteria(BEGINS)
        self.assertIn('delete_protection_id IS NULL', found)
        self.assertIn('FROM stack_tag', found)

    def test_where_no_tag_protects_it_asks_for_none(self):
        self.assertNotIn('stack_tag', self.criteria(BEGINS, wanted=None))

    def test_the_first_after_a_claim_asks_for_it_and_for_no_tag(self):
        held = mock.Mock(id='id', has_written=False)
        for values in BEGINS, OTHERS:
            found = self.criteria(values, held)
            self.assertIn('delete_protection_id IS NULL', found)
            self.assertIn('FROM heat_extras_delete_claim', found)
            self.assertNotIn('stack_tag', found)

    def test_what_it_has_ended_it_ends_as_a_whole(self):
        held = mock.Mock(id='id', has_written=True)
        self.assertEqual('', self.criteria(OTHERS, held))
        self.assertEqual('delete_protection_id IS NULL',
                         self.criteria(BEGINS, held))
