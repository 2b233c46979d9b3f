# SPDX-License-Identifier: Apache-2.0

"""Tests of which deletes of nested stacks are checked."""

import types
from unittest import mock

import fixtures
from heat.common import context as heat_context
import testtools

from heat_extras.heat_internals import caller
from heat_extras import rpc_request
from heat_extras.update_policy import errors
from heat_extras.update_policy import inherited_policy


class CheckTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.context = heat_context.RequestContext(is_admin=True)
        self.row = types.SimpleNamespace(
            id='2', name='nested', owner_id='1', has_update_policy=True)
        self.root = self.mock('_find_root', mock.Mock())
        self.root.return_value.name = 'root'
        self.mock('_find_parent_resource', mock.Mock(action='UPDATE'))
        self.problem = self.mock('_find_violation', 'resource nested would go')
        self.useFixture(fixtures.MockPatchObject(
            inherited_policy.stack_columns, 'get_columns', lambda row: row))

    def mock(self, name, value):
        return self.useFixture(fixtures.MockPatchObject(
            inherited_policy, name, return_value=value)).mock

    def check(self, operation='delete'):
        inherited_policy.check_nested_delete(
            rpc_request.Request(operation, self.context), self.row)

    def test_rejection_names_stack_root_and_reason(self):
        error = self.assertRaises(errors.NestedStackRestricted,
                                  self.check)
        self.assertEqual(
            'Stack nested (2) cannot be deleted: it is nested in stack root, '
            'and resource nested would go. Nothing was changed. First update '
            'stack root with templates that allow this. The update_policy '
            'does not apply when stack root as a whole is '
            'deleted.', str(error))
        error = self.assertRaises(errors.NestedStackRestricted,
                                  self.check, 'abandon')
        self.assertIn('cannot be abandoned', str(error))

    def test_rejection_is_logged_in_one_line(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.assertRaises(errors.NestedStackRestricted, self.check)
        self.assertIn('delete of stack nested (2) refused: resource nested '
                      'would go\n', log.output)

    def test_newline_in_resource_name_is_escaped_in_log(self):
        # Heat accepts any resource name without a slash.
        log = self.useFixture(fixtures.FakeLogger())
        self.problem.return_value = 'resource a\nCRITICAL would go'
        error = self.assertRaises(errors.NestedStackRestricted, self.check)
        self.assertIn('resource a\nCRITICAL', str(error))
        self.assertIn('delete of stack nested (2) refused: '
                      'resource a\\nCRITICAL would go\n', log.output)

    def assert_not_looked_at(self, **options):
        self.check(**options)
        self.root.assert_not_called()

    def test_delete_by_parent_stack_is_not_checked(self):
        caller.set_parent_call(self.context)
        self.assert_not_looked_at()

    def test_export_is_not_checked(self):
        self.assert_not_looked_at(operation=None)

    def test_root_stack_or_tree_without_policy_is_not_checked(self):
        self.row.owner_id = None
        self.assert_not_looked_at()
        self.row.owner_id, self.row.has_update_policy = '1', False
        self.assert_not_looked_at()

    def test_stack_without_root_may_be_deleted(self):
        self.root.return_value = None
        self.check()
        self.problem.assert_not_called()
