# SPDX-License-Identifier: Apache-2.0

"""Tests of a stack that changes while its reviewed plan is checked."""

import types
from unittest import mock

import fixtures
import testtools

from heat_extras.plan import errors
from heat_extras.plan import reviewed_plan


class ChangedStackTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        for name, value in (('preview.list_engines_without', []),
                            ('seal.list_differences', []),
                            ('seal.has_same_files', True),
                            ('preview.list_changes', [])):
            self.patch(name, return_value=value)
        self.revision = self.patch('preview.compute_revision',
                                   return_value='before')
        self.changes_definition = self.patch('preview.changes_definition',
                                             return_value=False)
        self.patch('rpc_request.current')
        self.stack = mock.Mock(convergence=False)
        self.patch('stack_object.Stack.get_by_id')

    def patch(self, name, **options):
        return self.useFixture(fixtures.MockPatch(
            f'{reviewed_plan.__name__}.{name}', **options)).mock

    def check(self, changes):
        """Check a plan, before and after another request."""
        planned = reviewed_plan.ReviewedUpdate(types.SimpleNamespace(
            revision='before', is_creation=False, hidden={},
            list_changes=lambda: changes,
            list_differences=lambda actual: []), self.stack)
        planned.check_stack(None)
        self.revision.return_value = 'after'
        planned.check(mock.Mock(), [])
        return planned

    def test_plan_with_changes_stays_outdated(self):
        self.assertTrue(self.check(['a']).reject_outdated(self.stack))

    def test_plan_without_changes_can_be_applied(self):
        self.assertFalse(self.check([]).reject_outdated(self.stack))

    def test_plan_without_changes_is_rejected_if_stack_differs(self):
        self.changes_definition.return_value = True
        self.assertRaises(errors.PlanNotApplicable, self.check, [])
