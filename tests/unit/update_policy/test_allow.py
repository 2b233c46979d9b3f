# SPDX-License-Identifier: Apache-2.0

"""Tests that ``allow`` is separated from the arguments for Heat."""

import types

import testtools

from heat_extras.update_policy import allow


class SeparateAllowTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.definition = types.SimpleNamespace()

    def kept(self, policy):
        arguments = dict(allow.separate_allow([('type', 'T'),
                                               ('update_policy', policy)]))
        return allow.attach_allow(self.definition, arguments)

    def test_arguments_for_heat_have_no_allow(self):
        self.assertEqual(
            {'type': 'T', 'update_policy': {'more': 1}},
            self.kept({'allow': {'update': False}, 'more': 1}))
        self.assertEqual({'update': False}, allow.get_snippet(self.definition))

    def test_update_policy_with_allow_only_is_none(self):
        self.assertIsNone(self.kept({'allow': {}})['update_policy'])

    def test_arguments_without_allow_are_unchanged(self):
        arguments = {'type': 'T', 'update_policy': {'more': 1}}
        self.assertIs(arguments,
                      allow.attach_allow(self.definition, arguments))
        self.assertFalse(allow.has_allow(self.definition))

    def test_allow_is_rendered_in_update_policy(self):
        self.kept({'allow': {'update': False}, 'more': 1})
        self.assertEqual(
            {'update_policy': {'more': 1, 'allow': {'update': False}}},
            allow.render_allow(self.definition,
                               {'update_policy': {'more': 1}}))
        self.assertEqual(
            {'update_policy': {'allow': {'update': False}}},
            allow.render_allow(self.definition, {}))

    def test_is_in_resource_finds_allow_in_template(self):
        for data, wanted in (({'p': {'allow': 1}}, True), ({'p': {}}, False),
                             ({}, False), (None, False), ({'p': 7}, False)):
            self.assertIs(wanted, allow.is_in_resource(data, 'p'))
