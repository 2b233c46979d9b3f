# SPDX-License-Identifier: Apache-2.0

"""If an engine is killed before the post call, another engine calls it."""

import copy

from tests.engines import base
from tests.functional import lifecycle_base

_SLOW = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'},
                   'seconds': {'type': 'number', 'default': 0}},
    'resources': {'test': {
        'type': 'OS::Heat::TestResource',
        'properties': {'value': {'get_param': 'value'},
                       'wait_secs': {'get_param': 'seconds'}}}},
}
_TWO = copy.deepcopy(_SLOW)
_TWO['parameters']['before'] = {'type': 'string', 'default': 'one'}
_TWO['resources']['first'] = {
    'type': 'OS::Heat::TestResource',
    'properties': {'value': {'get_param': 'before'},
                   'wait_secs': {'get_param': 'seconds'}}}
_TWO['resources']['test']['depends_on'] = ['first']


class LifecycleTest(base.CloudTestCase):
    kind = base.MARIADB

    @classmethod
    def setUpClass(cls):
        cls.plugins = cls.use_in_class(lifecycle_base.Plugins())
        super().setUpClass()

    def journal(self, stack, call, action):
        return [entry for entry in self.plugins.journal(stack)
                if (entry['call'], entry['action']) == (call, action)]

    def kill(self, pid):
        """Kill the engine that a process belongs to."""
        for engine in self.cloud.engines.values():
            with open(f'/proc/{pid}/stat') as source:
                if int(source.read().rpartition(')')[2].split()[2]) == (
                        engine.pid):
                    engine.kill()
                    return
        self.fail(f'No engine has process {pid}')

    def worker(self, stack_id):
        """Return the name of the engine that works on the stack."""
        rows = self.wait_for('an engine at work', lambda: self.query(
            'SELECT service.host FROM resource JOIN service '
            'ON service.engine_id = resource.engine_id '
            'WHERE resource.stack_id = :id', id=stack_id))
        return rows[0].host

    def wait_for_no_rows(self):
        self.wait_for('no running operation', lambda: self.query(
            'SELECT id FROM heat_extras_operation'), lambda rows: not rows)

    def update(self, path):
        self.assert_status(202, self.client.patch(path, {
            'parameters': {'value': 'three'}}))
        self.client.wait_for_status(path, 'UPDATE_COMPLETE')

    def test_post_is_called_if_killed_between_pre_and_post(self):
        path = self.client.create_stack('between', _SLOW)
        self.assert_status(202, self.client.patch(path, {
            'parameters': {'value': 'two', 'seconds': 600}}))
        name = self.worker(path.rpartition('/')[2])
        self.cloud.engines[name].kill()
        posts = self.wait_for('the missing post call', lambda: self.journal(
            'between', 'post', 'UPDATE')[3:])
        self.wait_for_no_rows()
        posts = self.journal('between', 'post', 'UPDATE')
        self.assertEqual(['test_first', 'test_a', 'test_b', 'test_post'],
                         [post['plugin'] for post in posts])
        self.assertEqual({True}, {post['failure'] for post in posts})
        pre = self.journal('between', 'pre', 'UPDATE')[0]
        self.assertEqual({pre['operation']},
                         {post['operation'] for post in posts})
        stack = self.client.show_stack(path)
        self.assertEqual('UPDATE_FAILED', stack['stack_status'])
        self.assertEqual('Engine went down during stack UPDATE',
                         stack['stack_status_reason'])
        # Heat waits for the dead one first, which is no reason to give up.
        self.assert_status(204, self.client.delete(path))
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'],
                                   failed='UPDATE_FAILED')

    def test_next_operation_succeeds_after_engine_was_killed(self):
        # A resource shows the dead engine until it is updated.
        path = self.client.create_stack('next', _TWO)
        self.assert_status(202, self.client.patch(path, {
            'parameters': {'value': 'two', 'seconds': 600}}))
        self.cloud.engines[self.worker(path.rpartition('/')[2])].kill()
        self.client.wait_for_status(path, 'UPDATE_FAILED')
        self.assert_status(202, self.client.patch(path, {
            'parameters': {'before': 'two', 'seconds': 15}}))
        posts = self.wait_for('the end of the next', lambda: self.journal(
            'next', 'post', 'UPDATE')[7:])
        self.assertEqual({False}, {post['failure'] for post in posts})
        self.client.wait_for_status(path, 'UPDATE_COMPLETE')
        self.wait_for_no_rows()

    def test_update_fails_if_killed_during_pre_call(self):
        path = self.client.create_stack('asked', _SLOW)
        order = self.plugins.order('slow', 'test_b', 'UPDATE', '600')
        self.assert_status(202, self.client.patch(path, {
            'parameters': {'value': 'two'}}))
        pre = self.wait_for('test_b is asked', lambda: [
            entry for entry in self.journal('asked', 'pre', 'UPDATE')
            if entry['plugin'] == 'test_b'])[0]
        order.unlink()
        self.kill(pre['pid'])
        self.wait_for_no_rows()
        posts = self.journal('asked', 'post', 'UPDATE')
        self.assertEqual(['test_first', 'test_a'],
                         [post['plugin'] for post in posts])
        self.assertEqual({(pre['operation'], True)}, {
            (post['operation'], post['failure']) for post in posts})
        self.assertEqual('UPDATE_FAILED',
                         self.client.show_stack(path)['stack_status'])
        # The template is unchanged, and the stack can be updated.
        self.update(path)

    def test_denied_update_changes_nothing_if_killed_in_post_call(self):
        path = self.client.create_stack('denied', _SLOW,
                                        disable_rollback=False)
        resources = self.client.get(path + '/resources').json()
        orders = [self.plugins.order('linger', 'test_a', 'UPDATE', '600'),
                  self.plugins.order('deny', 'test_b', 'UPDATE')]
        self.assert_status(202, self.client.patch(path, {
            'parameters': {'value': 'two'}}))
        calls = self.wait_for('the calls of test_a', lambda: [
            entry for entry in self.journal('denied', 'post', 'UPDATE')
            if entry['plugin'] == 'test_a'])[0]
        for order in orders:
            order.unlink()
        self.kill(calls['pid'])
        self.wait_for_no_rows()
        # The update was not started, and is not rolled back.
        stack = self.client.show_stack(path)
        self.assertEqual('UPDATE_FAILED', stack['stack_status'])
        self.assertEqual('one', stack['parameters']['value'])
        self.assertEqual([], self.journal('denied', 'pre', 'ROLLBACK'))
        self.assertEqual(resources,
                         self.client.get(path + '/resources').json())
        self.update(path)

    def test_lock_post_call_is_repeated_if_killed_during_it(self):
        path = self.client.create_stack('doors', _SLOW)
        for action in ('lock', 'unlock'):
            self.killed_while_told(path, action)
            # The lock operation completed, and the post calls are repeated.
            self.assertEqual(f'{action.upper()}_COMPLETE',
                             self.client.lock_status(path))
            posts = self.journal('doors', 'post', action.upper())
            self.assertIn('test_post', [post['plugin'] for post in posts])
            self.assertEqual({False}, {post['failure'] for post in posts})
            self.cloud.ensure_engines()

    def killed_while_told(self, path, action):
        order = self.plugins.order('linger', 'test_a', action.upper(), '600')
        self.in_background(self.act, path, action)
        calls = self.wait_for('test_a is told', lambda: [
            entry for entry in self.journal('doors', 'post', action.upper())
            if entry['plugin'] == 'test_a'])[0]
        order.unlink()
        self.kill(calls['pid'])
        self.wait_for_no_rows()
