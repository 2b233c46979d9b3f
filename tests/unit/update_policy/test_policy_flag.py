# SPDX-License-Identifier: Apache-2.0

"""Tests of the column that marks stacks with an update policy."""

import types
from unittest import mock

import fixtures
from heat.engine import template
import testtools

from heat_extras.heat_internals import object_data
from heat_extras.update_policy import policy_flag

_VERSION = {'heat_template_version': '2018-08-31'}


class HasAllowTest(testtools.TestCase):

    def has_allow(self, **resources):
        return policy_flag.has_allow(template.Template(
            dict(_VERSION, resources=resources)))

    def test_has_allow_finds_allow_in_any_resource(self):
        plain = {'type': 'a'}
        guarded = {'type': 'a', 'update_policy': {'allow': {}}}
        self.assertTrue(self.has_allow(a=plain, b=guarded))
        self.assertFalse(self.has_allow(a=plain))
        self.assertFalse(self.has_allow(
            a={'type': 'a', 'update_policy': {'rolling_update': {}}}))
        self.assertFalse(self.has_allow())

    def test_invalid_templates_have_no_allow(self):
        for resources in (None, [], 'text', {'a': None},
                          {'a': {'update_policy': {'get_param': 'b'}}}):
            self.assertFalse(policy_flag.has_allow(template.Template(
                dict(_VERSION, resources=resources))))
        self.assertFalse(policy_flag.has_allow(None))


class PolicyFlagTest(testtools.TestCase):
    """The flag in the row of a stack and of its stack tree."""

    def setUp(self):
        super().setUp()
        self.mark = self.useFixture(fixtures.MockPatchObject(
            policy_flag, 'set_flags')).mock

    def stack(self, has_policy, stack_id='1', owner_id=None):
        policy = {'update_policy': {'allow': {}}} if has_policy else {}
        return types.SimpleNamespace(
            t=types.SimpleNamespace(t={'resources': {'a': policy}}),
            id=stack_id, owner_id=owner_id, context=None)

    def test_flag_of_existing_stack_is_never_cleared(self):
        self.assertEqual({}, policy_flag.flag_columns(self.stack(False)))
        self.assertEqual({policy_flag.COLUMN: True},
                         policy_flag.flag_columns(self.stack(True)))

    def test_new_stack_has_own_flag_or_flag_of_parent(self):
        flag = self.stack(False, stack_id=None)
        self.assertEqual({policy_flag.COLUMN: False},
                         policy_flag.flag_columns(flag))
        for around in (False, True, None):
            flag = self.stack(False, stack_id=None, owner_id='0')
            with mock.patch.object(
                    policy_flag.stack_object.Stack, 'get_by_id',
                    return_value=mock.Mock()), mock.patch.object(
                    policy_flag.stack_columns, 'get_columns',
                    return_value=mock.Mock(has_update_policy=around)):
                self.assertEqual({policy_flag.COLUMN: around},
                                 policy_flag.flag_columns(flag))
            self.assertIs(around, object_data.of_stack(flag).has_policy)

    def propagate(self, stack, was_new, knew):
        policy_flag.propagate_flag(stack, was_new, knew)
        return self.mark.called, object_data.of_stack(stack).has_policy

    def test_first_policy_of_tree_sets_flags(self):
        self.assertEqual((True, True),
                         self.propagate(self.stack(True), False, False))

    def test_known_policy_does_not_set_flags_again(self):
        self.assertEqual((False, None),
                         self.propagate(self.stack(True), False, True))

    def test_new_root_stack_does_not_set_flags(self):
        self.assertEqual((False, None),
                         self.propagate(self.stack(True), True, None))

    def test_new_nested_stack_sets_flags(self):
        self.assertEqual((True, True), self.propagate(
            self.stack(True, owner_id='0'), True, None))
