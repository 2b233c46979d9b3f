# SPDX-License-Identifier: Apache-2.0

import types
from unittest import mock

import fixtures
import testtools

from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import read_only
from heat_extras.lifecycle import runner


class Stack(types.SimpleNamespace):
    """Stands for a class of Heat's."""

    __module__ = 'heat.engine.fake'


class ActionsTest(testtools.TestCase):
    def test_those_with_a_template_are_some_of_all(self):
        self.assertEqual(
            ['CREATE', 'ADOPT', 'UPDATE', 'RESTORE'],
            [action for action in plugin_api.ACTIONS
             if action in plugin_api.WITH_TEMPLATE])


class BareTest(testtools.TestCase):
    def test_it_is_the_object_itself(self):
        stack = Stack()
        self.assertIs(stack, plugin_api.bare(read_only.wrap_value(stack, 'p')))

    def test_what_only_the_view_has_is_not_there(self):
        stack = Stack(operation_id=None)
        shown = read_only.wrap_value(stack, 'p', operation_id='7')
        self.assertEqual('7', shown.operation_id)
        self.assertIsNone(plugin_api.bare(shown).operation_id)

    def test_what_is_no_view_comes_back_as_it_is(self):
        for value in None, 'text', {}, mock.sentinel.stack:
            self.assertIs(value, plugin_api.bare(value))


class WarnTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())
        self.stack = Stack(id='1', name='shop', IN_PROGRESS='IN_PROGRESS',
                           _add_event=mock.Mock())

    def test_it_is_logged_and_an_event_of_the_stack(self):
        for shown in self.stack, read_only.wrap_value(self.stack, 'p'):
            plugin_api.warn(shown, 'UPDATE', 'dear')
            self.assertIn('Stack shop (1): dear', self.log.output)
            self.stack._add_event.assert_called_with(
                'UPDATE', 'IN_PROGRESS', 'Warning: dear')

    def test_a_text_is_one_line_of_the_log(self):
        plugin_api.warn(self.stack, 'UPDATE', 'dear\nCRITICAL')
        self.assertEqual('Stack shop (1): dear\\nCRITICAL\n',
                         self.log.output)
        self.stack._add_event.assert_called_once_with(
            'UPDATE', 'IN_PROGRESS', 'Warning: dear\nCRITICAL')


class ErrorsTest(testtools.TestCase):
    def test_what_is_raised_is_a_denial(self):
        self.assertTrue(runner.is_denial(plugin_api.Denied('no')))

    def test_a_view_that_is_changed_raises_what_may_be_caught(self):
        def change():
            read_only.wrap_value(Stack(), 'p').status = 'FAILED'
        self.assertRaises(plugin_api.ReadOnly, change)
