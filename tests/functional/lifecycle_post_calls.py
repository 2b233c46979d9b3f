# SPDX-License-Identifier: Apache-2.0

"""Tests of the post call of each operation, however it ends."""

import copy

from tests.functional import lifecycle_base
from tests.functional import templates
from tests.harness import waiting

SLOW = copy.deepcopy(templates.SMALL)
SLOW['resources']['test']['properties']['wait_secs'] = 8
UPDATE = {'template': SLOW, 'parameters': {'value': 'two'}}


class TestCase(lifecycle_base.TestCase):

    def start(self, name):
        """Create a stack, and start a slow update of it."""
        path = self.client.create_stack(name, templates.SMALL)
        answer = self.client.put(path, UPDATE)
        self.assertEqual(202, answer.status_code, answer.text)
        self.client.wait_for_resource(path, 'test', 'UPDATE_IN_PROGRESS')
        return path

    def act(self, path, action):
        answer = self.client.post(path + '/actions', {action: None})
        self.assertEqual(200, answer.status_code, answer.text)

    def ends(self, stack, action, plugin='test_b'):
        """Return for each post call of a plugin whether the action failed."""
        return [call['failure'] for call in self.plugins.journal(stack)
                if call['call'] == 'post' and call['action'] == action
                and call['plugin'] == plugin]

    def wait_for_end(self, stack, action):
        self.plugins.wait_for(stack, f'post {action}')
        waiting.until('the last plugin to be told', lambda: self.ends(
            stack, action, 'test_post'))
        return self.ends(stack, action)


class Cancels(TestCase):

    def test_post_call_of_update_canceled_with_rollback(self):
        path = self.start('cancelled')
        self.act(path, 'cancel_update')
        self.assertEqual([True], self.wait_for_end('cancelled', 'UPDATE'))
        self.assertEqual([False], self.wait_for_end('cancelled', 'ROLLBACK'))
        self.assertEqual([True], self.ends('cancelled', 'UPDATE'))


class Traversals(TestCase):
    """Cases of the convergence engine."""

    def test_post_call_of_update_canceled_without_rollback(self):
        path = self.start('left')
        self.act(path, 'cancel_without_rollback')
        self.assertEqual([True], self.wait_for_end('left', 'UPDATE'))
        self.assertEqual([], self.ends('left', 'ROLLBACK'))

    def test_post_call_of_update_if_stack_is_deleted(self):
        path = self.start('dropped')
        self.client.delete(path)
        self.assertEqual([False], self.wait_for_end('dropped', 'DELETE'))
        self.assertEqual([True], self.ends('dropped', 'UPDATE'))

    def test_post_call_of_update_replaced_by_newer_update(self):
        path = self.start('taken')
        self.client.put(path, {'template': templates.SMALL,
                               'parameters': {'value': 'three'}})
        self.assertEqual([True], self.wait_for_end('taken', 'UPDATE')[:1])
        waiting.until('the newer update', lambda: self.asked('taken')[1:])
        old, new = self.asked('taken')
        self.assertEqual([old], [
            call['operation'] for call in self.plugins.journal('taken')
            if call['call'] == 'post' and call['plugin'] == 'test_b'
            and call.get('failure')])
        self.assertNotEqual(old, new)

    def asked(self, stack):
        """Return the operation IDs of the pre calls of updates."""
        return [call['operation'] for call in self.plugins.journal(stack)
                if call['call'] == 'pre' and call['action'] == 'UPDATE'
                and call['plugin'] == 'test_b']

    def test_cancel_during_pre_call_changes_no_resource(self):
        path = self.client.create_stack('early', templates.SMALL)
        before = self.client.get(path + '/resources').json()
        self.order('slow', 'test_b', 'UPDATE', '5')
        self.client.put(path, UPDATE)
        waiting.until('test_b is asked', lambda: self.asked('early'))
        self.act(path, 'cancel_update')
        stack = self.wait(path, 'UPDATE_FAILED')
        self.assertEqual('Stack UPDATE cancelled',
                         stack['stack_status_reason'])
        self.assertEqual([True], waiting.until(
            'the post call', lambda: self.ends('early', 'UPDATE')))
        self.assertEqual(before, self.client.get(
            path + '/resources').json())
        self.assertNotIn('pre ROLLBACK test_first', self.calls('early'))

    def test_cancel_during_post_calls_of_denial(self):
        path = self.client.create_stack('told', templates.SMALL,
                                        disable_rollback=False)
        before = self.client.get(path + '/resources').json()
        self.order('deny', 'test_b', 'UPDATE')
        linger = self.order('linger', 'test_a', 'UPDATE', '5')
        self.client.put(path, UPDATE)
        self.wait_for_call('told', 'post UPDATE test_a failed')
        linger.write_text('0')
        self.act(path, 'cancel_update')
        self.wait(path, 'UPDATE_FAILED')
        stack = self.client.show_stack(path)
        waiting.until('the event of the denial',
                      lambda: self.client.get(path + '/events').text,
                      lambda text: 'because' in text)
        self.assertEqual(stack, self.client.show_stack(path))
        self.assertEqual(before, self.client.get(
            path + '/resources').json())
        self.assertNotIn('pre ROLLBACK test_first', self.calls('told'))

    def test_newer_update_during_pre_call_of_older_update(self):
        path = self.client.create_stack('asked', templates.SMALL)
        order = self.order('slow', 'test_b', 'UPDATE', '5')
        self.client.put(path, {'template': templates.SMALL})
        self.plugins.wait_for('asked', 'pre UPDATE')
        self.wait_for_call('asked', 'pre UPDATE test_b')
        order.write_text('0')
        self.client.put(path, {'template': templates.SMALL,
                               'parameters': {'value': 'four'}})
        waiting.until('both ends', lambda: self.ends('asked', 'UPDATE')[1:])
        self.assertEqual([False, True], sorted(self.ends('asked', 'UPDATE')))
        self.assertEqual('four', self.client.show_stack(path)
                         ['parameters']['value'])


class Locks(TestCase):

    def test_post_calls_of_lock_and_unlock(self):
        path = self.client.create_stack('locked', templates.SMALL)
        for level in ('stacks', 'all'):
            self.client.post(path + '/actions', {'lock': {'level': level}})
            self.client.wait_for_lock(path, 'LOCK_COMPLETE')
            self.act(path, 'unlock')
            self.client.wait_for_lock(path, 'UNLOCK_COMPLETE')
        for action in ('LOCK', 'UNLOCK'):
            self.wait_for_end('locked', action)
            self.assertEqual([False, False], self.ends('locked', action))

    def assert_refused(self, path, action, wanted):
        before = self.client.show_stack(path)
        self.order('deny', 'test_b', action.upper(), 'audit')
        answer = self.client.post(path + '/actions', {action: None})
        self.assertEqual(409, answer.status_code)
        self.assertIn(f'{action.upper()} denied by lifecycle plugin test_b: '
                      'audit', answer.text)
        self.assertEqual(before, self.client.show_stack(path))
        self.assertEqual(
            ['post {0} test_first failed', 'post {0} test_a failed'],
            [call.replace(action.upper(), '{0}')
             for call in self.calls(wanted)[-2:]])

    def test_denied_lock_changes_nothing(self):
        path = self.client.create_stack('free', templates.SMALL)
        self.assert_refused(path, 'lock', 'free')

    def test_denied_unlock_changes_nothing(self):
        path = self.client.create_stack('held', templates.SMALL)
        self.client.post(path + '/actions', {'lock': {'level': 'stacks'}})
        self.assert_refused(path, 'unlock', 'held')
