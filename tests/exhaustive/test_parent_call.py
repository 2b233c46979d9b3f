# SPDX-License-Identifier: Apache-2.0

"""Calls of Heat for a parent stack, and requests of a user."""

import itertools
import json
import os
import re

from tests.functional import base
from tests.harness import waiting

_PLUGIN = os.path.join(os.path.dirname(__file__), 'call_plugin')
_SETTINGS = f'[DEFAULT]\nplugin_dirs = {_PLUGIN}\n'
_NUMBERS = itertools.count()
_CALL = re.compile(r'CALL (\[.*\])')

_VERSION = {'heat_template_version': '2018-08-31'}
_VALUE = {'parameters': {'value': {'type': 'string', 'default': 'one'},
                         'wait': {'type': 'number', 'default': 0}}}
_PASSED = {name: {'get_param': name} for name in _VALUE['parameters']}


def _around(inner):
    return {**_VERSION, **_VALUE, 'resources': {
        'in': {'type': inner, 'properties': _PASSED}}}


ROOT = _around('middle.yaml')
_EMPTY = {**_VERSION, **_VALUE}
FILES = {
    'middle.yaml': json.dumps(_around('inner.yaml')),
    'inner.yaml': json.dumps({**_VERSION, **_VALUE, 'resources': {
        'test': {'type': 'OS::Heat::TestResource', 'properties': {
            'value': _PASSED['value'], 'action_wait_secs': {
                'update': _PASSED['wait']}}}}})}


class ConvergenceTest(base.TestCase):
    settings = _SETTINGS

    def setUp(self):
        super().setUp()
        self.start = self._size()
        self.path = self.client.create_stack(
            f'root{next(_NUMBERS)}', ROOT, files=FILES)
        self.addCleanup(self._remove)

    def _remove(self):
        self.client.delete(self.path)
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])

    def _size(self):
        return os.path.getsize(self.sandbox.log_path)

    def calls(self, method):
        """Return the calls of a method since last time.

        :returns: a set of pairs: how deep the stack is nested, and whether
            a parent has called.
        """
        with open(self.sandbox.log_path, 'rb') as source:
            source.seek(self.start)
            calls = map(json.loads, _CALL.findall(source.read().decode()))
        # A nested one is called after its parent, and its resource there.
        return {(stack.count('-in-'), is_marked)
                for name, stack, is_marked in calls if name == method}

    def assert_calls(self, method, *wanted):
        waiting.until_equal(f'calls of {method}', set(wanted),
                            lambda: self.calls(method))
        self.start = self._size()

    def act(self, path, action):
        answer = self.client.post(path + '/actions', {action: None})
        self.assertIn(answer.status_code, (200, 202), answer.text)
        if action != 'cancel_update':
            self.client.wait_for_stack(path, [f'{action.upper()}_COMPLETE'])

    def update(self, path=None, template=ROOT, **values):
        answer = self.client.put(path or self.path, {
            'template': template, 'files': FILES, 'parameters': values})
        self.assertEqual(202, answer.status_code, answer.text)

    def nested(self, path):
        """Return the path of the stack that is nested in one."""
        resource = self.client.get(path + '/resources/in').json()['resource']
        stack = self.client.get(
            '/stacks/' + resource['physical_resource_id']).json()['stack']
        return f'/stacks/{stack["stack_name"]}/{stack["id"]}'

    def test_create_and_delete_are_parent_calls_in_nested_stacks(self):
        self.assert_calls('create_stack', (0, False), (1, True), (2, True))
        self.client.delete(self.path)
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])
        self.assert_calls('delete_stack', (0, False), (1, True), (2, True))

    def test_update_is_parent_call_in_nested_stacks(self):
        self.update(value='two')
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.assert_calls('update_stack', (0, False), (1, True), (2, True))

    def test_removal_by_update_is_parent_call_in_nested_stacks(self):
        self.update(template=_EMPTY)
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.assert_calls('delete_stack', (1, True), (2, True))

    def test_actions_are_parent_calls_in_nested_stacks(self):
        for action in 'check', 'suspend', 'resume':
            self.act(self.path, action)
            self.assert_calls(f'stack_{action}', (0, False), (1, True),
                              (2, True))

    def _begin_update(self):
        self.update(value='two', wait=6)
        inner = self.nested(self.nested(self.path))
        self.client.wait_for_status(inner, 'UPDATE_IN_PROGRESS')
        self.client.wait_for_resource(inner, 'test', 'UPDATE_IN_PROGRESS')

    def test_cancel_is_parent_call_in_nested_stacks(self):
        self._begin_update()
        self.act(self.path, 'cancel_update')
        self.client.wait_for_stack(self.path, ['ROLLBACK_COMPLETE'])
        # How far down it is asked for is Heat's: its engines differ.
        calls = self.calls('stack_cancel_update')
        self.assertLessEqual({(0, False), (1, True)}, calls)
        self.assertLessEqual(calls, {(0, False), (1, True), (2, True)})

    def test_user_request_by_nested_stack_id_is_no_parent_call(self):
        middle = self.nested(self.path)
        inner = self.nested(middle)
        for action in 'check', 'suspend', 'resume':
            self.act(inner, action)
            self.assert_calls(f'stack_{action}', (2, False))
            self.act(middle, action)
            self.assert_calls(f'stack_{action}', (1, False), (2, True))
        self.assertEqual(202, self.client.patch(middle, {
            'parameters': {'value': 'two'}}).status_code)
        self.client.wait_for_stack(middle, ['UPDATE_COMPLETE'])
        self.assert_calls('update_stack', (1, False), (2, True))
        self.client.delete(inner)
        self.client.wait_for_stack(inner, ['DELETE_COMPLETE'])
        self.assert_calls('delete_stack', (2, False))

    def test_user_cannot_forge_parent_call_by_header_or_body(self):
        middle = self.nested(self.path)
        answer = self.client.post(
            middle + '/actions', {'check': {'heat_extras_parent_call': True}},
            headers={'X-Heat-Extras-Parent-Call': 'True',
                     'Heat-Extras-Parent-Call': 'True'})
        self.assertEqual(200, answer.status_code, answer.text)
        self.client.wait_for_stack(middle, ['CHECK_COMPLETE'])
        self.assert_calls('stack_check', (1, False), (2, True))


class LegacyTest(ConvergenceTest):
    settings = _SETTINGS + 'convergence_engine = false\n'
