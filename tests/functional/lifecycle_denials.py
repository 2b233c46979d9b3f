# SPDX-License-Identifier: Apache-2.0

"""Tests of denials, errors and failures of lifecycle plugins."""

import copy

from tests.functional import lifecycle_base
from tests.functional import templates
from tests.harness import waiting

UNWOUND = ['pre {0} test_first', 'pre {0} test_a', 'pre {0} test_b',
           'post {0} test_first failed', 'post {0} test_a failed']
LARGER = copy.deepcopy(templates.SMALL)
LARGER['resources']['more'] = {'type': 'OS::Heat::RandomString'}
FAILING = copy.deepcopy(templates.SMALL)
FAILING['resources']['test']['properties']['fail'] = True


class TestCase(lifecycle_base.TestCase):

    def tearDown(self):
        super().tearDown()
        waiting.until_equal('the rows of operations', [], self.rows)

    def rows(self):
        return self.sandbox.sql(
            'SELECT stack_id, action, phase FROM heat_extras_operation '
            "WHERE phase != 'denied'")

    def deny(self, action):
        return self.order('deny', 'test_b', action, 'not on Fridays')

    def assert_denied(self, path, action):
        stack = self.wait(path, f'{action}_FAILED')
        reason = f'{action} denied by lifecycle plugin test_b: not on Fridays'
        # Heat's legacy engine adds a sentence of its own to a CHECK.
        self.assertEqual(reason, stack['stack_status_reason'][:len(reason)])
        events = self.client.get(path + '/events').json()['events']
        self.assertIn((f'{action}_FAILED', reason), [
            (event['resource_status'],
             event['resource_status_reason'][:len(reason)])
            for event in events])
        self.assertEqual([call.format(action) for call in UNWOUND],
                         self.calls(stack['stack_name'])[-5:])
        # The status of a post call is that of the pre calls.
        calls = self.plugins.journal(stack['stack_name'])[-5:]
        self.assertEqual(1, len({call['status'] for call in calls}), calls)
        return calls[-1]['status']


class Denials(TestCase):

    def test_denied_create_creates_no_resources(self):
        self.deny('CREATE')
        path = self.client.create_stack('never', templates.SMALL,
                                        wait=False, disable_rollback=False)
        self.assertEqual('IN_PROGRESS', self.assert_denied(path, 'CREATE'))
        for resource in self.client.get(
                path + '/resources').json()['resources']:
            self.assertEqual('INIT_COMPLETE', resource['resource_status'])

    def test_denied_update_does_not_change_template(self):
        path = self.client.create_stack('kept', templates.SMALL)
        order = self.deny('UPDATE')
        answer = self.client.put(path, {'template': LARGER})
        self.assertEqual(202, answer.status_code)
        self.assertEqual('COMPLETE', self.assert_denied(path, 'UPDATE'))
        self.assertEqual(templates.SMALL,
                         self.client.get(path + '/template').json())
        order.rename(order.with_name('off'))
        answer = self.client.patch(path, {'parameters': {'value': 'two'}})
        self.assertEqual(202, answer.status_code, answer.text)
        self.wait(path, 'UPDATE_COMPLETE')
        names = [resource['resource_name'] for resource in self.client.get(
            path + '/resources').json()['resources']]
        self.assertEqual(['test', 'text'], sorted(names))
        order.with_name('off').rename(order)

    def test_denied_abandon_returns_no_data(self):
        path = self.client.create_stack('stays', templates.SMALL)
        order = self.deny('DELETE')
        answer = self.client.delete(path + '/abandon')
        self.assertEqual(409, answer.status_code)
        self.assertIn('Stack stays (%s) was not abandoned: DELETE denied by '
                      'lifecycle plugin test_b: not on Fridays' %
                      path.rpartition('/')[2], answer.json()['error']
                      ['message'])
        self.assertEqual([call.format('DELETE') for call in UNWOUND],
                         self.calls('stays')[-5:])
        self.assertEqual('CREATE_COMPLETE', self.client.show_stack(path)
                         ['stack_status'])
        order.rename(order.with_name('off'))
        self.assertEqual(200, self.client.get(path + '/export').status_code)
        data = self.client.delete(path + '/abandon').json()
        self.assertEqual({'test', 'text'}, {*data['resources']})
        self.wait(path, 'DELETE_COMPLETE')
        order.with_name('off').rename(order)

    def test_denied_check_suspend_snapshot_and_delete(self):
        path = self.client.create_stack('refused', templates.SMALL)
        for action in ('check', 'suspend'):
            self.deny(action.upper())
            self.client.post(path + '/actions', {action: None})
            self.assert_denied(path, action.upper())
        self.deny('SNAPSHOT')
        snapshot = self.client.post(path + '/snapshots', {}).json()
        self.assert_denied(path, 'SNAPSHOT')
        self.assertEqual('FAILED', self.client.get(
            f'{path}/snapshots/{snapshot["id"]}').json()['snapshot']
            ['status'])
        order = self.deny('DELETE')
        self.client.delete(path)
        self.assert_denied(path, 'DELETE')
        order.rename(order.with_name('off'))
        self.client.delete(path)
        self.wait(path, 'DELETE_COMPLETE')
        order.with_name('off').rename(order)


class Failures(TestCase):

    def test_update_is_rolled_back_if_post_call_fails(self):
        path = self.client.create_stack('afterwards', templates.SMALL)
        self.order('fail', 'test_a', 'UPDATE', 'could not register')
        self.client.put(path, {'template': LARGER,
                               'disable_rollback': False})
        stack = self.wait(path, 'ROLLBACK_COMPLETE')
        self.assertEqual(templates.SMALL,
                         self.client.get(path + '/template').json())
        calls = self.calls(stack['stack_name'])
        # Each plugin gets exactly one post call.
        self.assertEqual(4, len([call for call in calls
                                 if call.startswith('post UPDATE')]))
        self.assertIn('could not register', self.reasons(path))

    def reasons(self, path):
        return ' '.join(event['resource_status_reason'] for event in
                        self.client.get(path + '/events').json()['events'])

    def test_stack_is_not_deleted_if_post_call_fails(self):
        path = self.client.create_stack('stays', templates.SMALL)
        order = self.order('fail', 'test_a', 'DELETE', 'still billed')
        self.client.delete(path)
        stack = self.wait(path, 'DELETE_FAILED')
        self.assertEqual('Lifecycle plugin test_a failed after DELETE: '
                         'still billed', stack['stack_status_reason'])
        order.rename(order.with_name('off'))
        self.client.delete(path)
        self.wait(path, 'DELETE_COMPLETE')
        order.with_name('off').rename(order)

    def test_stack_is_not_deleted_if_rollback_post_call_fails(self):
        order = self.order('fail', 'test_a', 'ROLLBACK', 'still billed')
        path = self.client.create_stack('unmade', FAILING, wait=False,
                                        disable_rollback=False)
        stack = self.wait(path, 'ROLLBACK_FAILED')
        self.assertEqual('Lifecycle plugin test_a failed after ROLLBACK: '
                         'still billed', stack['stack_status_reason'])
        # The legacy engine deletes what it has rolled back.
        self.assertIn('unmade', [
            stack['stack_name'] for stack in
            self.client.get('/stacks').json()['stacks']])
        order.rename(order.with_name('off'))
        self.client.delete(path)
        self.wait(path, 'DELETE_COMPLETE')
        order.with_name('off').rename(order)

    def test_plugin_cannot_change_stack(self):
        path = self.client.create_stack('shown', templates.SMALL)
        self.order('change', 'test_a', 'UPDATE')
        self.client.put(path, {'template': templates.SMALL})
        stack = self.wait(path, 'UPDATE_FAILED')
        self.assertIn('lifecycle plugin test_a tried to change a stack with '
                      'Stack.set_stack_user_project_id()',
                      stack['stack_status_reason'])
