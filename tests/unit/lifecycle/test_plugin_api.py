# SPDX-License-Identifier: Apache-2.0

import types
from unittest import mock

import fixtures
import testtools

from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import read_only
from heat_extras.lifecycle import runner


class Stack(types.SimpleNamespace):
    """Replaces a class of Heat."""

    __module__ = 'heat.engine.fake'


class ActionsTest(testtools.TestCase):
    def test_actions_with_template_are_known_actions(self):
        self.assertEqual(
            ['CREATE', 'ADOPT', 'UPDATE', 'RESTORE'],
            [action for action in plugin_api.ACTIONS
             if action in plugin_api.WITH_TEMPLATE])


class BareTest(testtools.TestCase):
    def test_bare_returns_wrapped_object(self):
        stack = Stack()
        self.assertIs(stack, plugin_api.bare(read_only.wrap_value(stack, 'p')))

    def test_bare_omits_attributes_of_view(self):
        stack = Stack(operation_id=None)
        shown = read_only.wrap_value(stack, 'p', operation_id='7')
        self.assertEqual('7', shown.operation_id)
        self.assertIsNone(plugin_api.bare(shown).operation_id)

    def test_bare_returns_other_values_unchanged(self):
        for value in None, 'text', {}, mock.sentinel.stack:
            self.assertIs(value, plugin_api.bare(value))


class WarnTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())
        self.stack = Stack(id='1', name='shop', IN_PROGRESS='IN_PROGRESS',
                           _add_event=mock.Mock())

    def test_warning_is_logged_and_added_as_stack_event(self):
        for shown in self.stack, read_only.wrap_value(self.stack, 'p'):
            plugin_api.warn(shown, 'UPDATE', 'dear')
            self.assertIn('Stack shop (1): dear', self.log.output)
            self.stack._add_event.assert_called_with(
                'UPDATE', 'IN_PROGRESS', 'Warning: dear')

    def test_multiline_warning_is_one_log_line(self):
        plugin_api.warn(self.stack, 'UPDATE', 'dear\nCRITICAL')
        self.assertEqual('Stack shop (1): dear\\nCRITICAL\n',
                         self.log.output)
        self.stack._add_event.assert_called_once_with(
            'UPDATE', 'IN_PROGRESS', 'Warning: dear\nCRITICAL')


class ErrorsTest(testtools.TestCase):
    def test_denied_error_is_denial(self):
        self.assertTrue(runner.is_denial(plugin_api.Denied('no')))

    def test_changing_view_raises_read_only_error(self):
        def change():
            read_only.wrap_value(Stack(), 'p').status = 'FAILED'
        self.assertRaises(plugin_api.ReadOnly, change)
