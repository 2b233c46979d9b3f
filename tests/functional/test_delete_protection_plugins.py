# SPDX-License-Identifier: Apache-2.0

"""Tests of delete protection together with lifecycle plugins."""

import concurrent.futures

from tests.functional import lifecycle_base
from tests.functional import test_stack_lock_states

_TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'},
                   'wait': {'type': 'number', 'default': 0}},
    'resources': {'test': {
        'type': 'OS::Heat::TestResource',
        'properties': {'value': {'get_param': 'value'}, 'action_wait_secs': {
            'update': {'get_param': 'wait'}}}}},
}


class PluginTest(lifecycle_base.TestCase,
                 test_stack_lock_states.StateTestCase):
    name = 'kept'
    template = _TEMPLATE
    settings = test_stack_lock_states.StateTestCase.settings + (
        '[heat_extras]\nfeatures = stack_lock, lifecycle\n')

    def setUp(self):
        super().setUp()
        self.pool = concurrent.futures.ThreadPoolExecutor(1)
        self.addCleanup(self.pool.shutdown)

    def _delete(self):
        self.action('unprotect')
        super()._delete()

    def assert_protected(self, answer):
        self.assert_status(409, answer)
        self.assertEqual('StackProtected', answer.json()['error']['type'])

    def begin_update(self):
        self.assert_status(202, self.client.put(self.path, {
            'template': _TEMPLATE, 'parameters': {'value': 'two',
                                                  'wait': 8}}))
        self.client.wait_for_resource(self.path, 'test',
                                      'UPDATE_IN_PROGRESS')

    def delete_slowly(self):
        """Start a delete, and wait until a plugin delays it."""
        order = self.plugins.order('slow', 'test_b', 'DELETE', '4')
        deletion = self.pool.submit(self.client.delete, self.path)
        self.wait_for_call(self.name, 'pre DELETE test_b')
        order.unlink()
        return deletion

    def assert_one_of_them(self, protection, deletion):
        """Assert that the stack is either protected or deleted."""
        if protection.status_code == 200:
            self.assertEqual(409, deletion.result().status_code)
            self.client.wait_for_end(self.path)
            self.assertNotIn('DELETE', self.status())
            self.assert_protected(self.client.delete(self.path))
            return
        self.assertIn('is being deleted',
                      self.assert_status(409, protection).text)
        self.assert_status(204, deletion.result())
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'],
                                   failed='UPDATE_FAILED')

    def test_plugins_are_not_called_if_stack_is_protected(self):
        self.order('slow', 'test_b', 'DELETE', '20')
        self.assert_status(200, self.action('protect'))
        for path in self.path, self.path + '/abandon':
            self.assert_protected(self.client.delete(path))
        self.assertEqual([], [call for call in self.calls(self.name)
                              if ' CREATE ' not in call])

    def test_protect_during_pre_call_of_delete(self):
        deletion = self.delete_slowly()
        self.assert_one_of_them(self.action('protect'), deletion)

    def test_protect_during_update_and_pre_call_of_delete(self):
        self.begin_update()
        deletion = self.delete_slowly()
        self.assert_one_of_them(self.action('protect'), deletion)

    def test_protect_after_denied_delete(self):
        self.denied()

    def test_protect_after_denied_delete_during_update(self):
        self.begin_update()
        self.denied()

    def denied(self):
        order = self.plugins.order('deny', 'test_b', 'DELETE', 'no')
        self.assert_status(204, self.client.delete(self.path))
        stack = self.wait(self.path, 'DELETE_FAILED')
        self.assertIn('denied by lifecycle plugin test_b',
                      stack['stack_status_reason'])
        order.unlink()
        self.assert_status(200, self.action('protect'))
        self.assert_protected(self.client.delete(self.path))
        self.assertEqual('DELETE_FAILED', self.status())
        self.assert_status(200, self.action('unprotect'))
        self.assert_status(204, self.client.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'],
                                   failed='DELETE_FAILED')


class LegacyPluginTest(PluginTest):
    settings = test_stack_lock_states.StateTestCase.settings + (
        'convergence_engine = false\n'
        '[heat_extras]\nfeatures = stack_lock, lifecycle\n')
