# SPDX-License-Identifier: Apache-2.0

"""Tests of the plugin calls before and after every action."""

import copy
import json

from tests.functional import lifecycle_base
from tests.functional import templates

ORDER = ('test_first', 'test_a', 'test_b')

FAILING = copy.deepcopy(templates.SMALL)
FAILING['resources']['bad'] = {'type': 'OS::Heat::TestResource',
                               'properties': {'fail': True}}


def both(action, failed=False):
    """Return the calls of an action that all plugins allow."""
    end = ' failed' if failed else ''
    return ([f'pre {action} {name}' for name in ORDER]
            + [f'post {action} {name}{end}'
               for name in (*ORDER, 'test_post')])


class Actions(lifecycle_base.TestCase):

    def test_create_update_and_delete(self):
        path = self.client.create_stack('plain', templates.SMALL)
        self.client.put(path, {'template': templates.SMALL,
                               'parameters': {'value': 'two'}})
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.client.delete(path)
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])
        self.assertEqual(both('CREATE') + both('UPDATE') + both('DELETE'),
                         self.calls('plain'))
        ids = [call['operation'] for call in self.plugins.journal('plain')]
        self.assertEqual([7, 7, 7], [ids.count(operation_id)
                                     for operation_id in dict.fromkeys(ids)])

    def test_plugins_are_called_for_nested_stacks(self):
        path = self.client.create_stack('tree', {
            'heat_template_version': '2018-08-31',
            'resources': {'nested': {'type': 'member.yaml'}},
        }, files=templates.FILES)
        self.client.delete(path)
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])
        nested = [call for call in self.plugins.journal()
                  if call['stack'].startswith('tree-')]
        name = nested[0]['stack']
        self.assertEqual(both('CREATE') + both('DELETE'), self.calls(name))
        self.assertEqual(both('CREATE') + both('DELETE'), self.calls('tree'))

    def test_suspend_resume_check_snapshot_and_restore(self):
        path = self.client.create_stack('acted', templates.SMALL)
        for action in ('suspend', 'resume', 'check'):
            self.client.post(path + '/actions', {action: None})
            self.client.wait_for_stack(path, [f'{action.upper()}_COMPLETE'])
            self.plugins.wait_for('acted', f'post {action.upper()}')
        snapshot = self.client.post(path + '/snapshots', {}).json()
        self.client.wait_for_stack(path, ['SNAPSHOT_COMPLETE'])
        answer = self.client.post(
            f'{path}/snapshots/{snapshot["id"]}/restore')
        self.assertEqual(202, answer.status_code, answer.text)
        self.client.wait_for_stack(path, ['RESTORE_COMPLETE'])
        self.assertEqual(
            [call for action in ('CREATE', 'SUSPEND', 'RESUME', 'CHECK',
                                 'SNAPSHOT', 'RESTORE')
             for call in both(action)], self.calls('acted'))

    def test_abandon_and_adopt(self):
        path = self.client.create_stack('moved', templates.SMALL)
        data = self.client.delete(path + '/abandon').json()
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])
        self.assertEqual(both('CREATE') + both('DELETE'),
                         self.calls('moved'))
        self.client.post('/stacks', {'stack_name': 'adopted',
                                     'template': templates.SMALL,
                                     'adopt_stack_data': json.dumps(data)})
        self.client.wait_for_stack('adopted', ['ADOPT_COMPLETE'])
        self.assertEqual(both('ADOPT'), self.calls('adopted'))

    def test_plugins_are_called_for_update_and_its_rollback(self):
        path = self.client.create_stack('undone', templates.SMALL)
        self.client.put(path, {'template': FAILING,
                               'disable_rollback': False})
        self.wait(path, 'ROLLBACK_COMPLETE')
        self.assertEqual(
            both('CREATE') + both('UPDATE', failed=True) + both('ROLLBACK'),
            self.calls('undone'))
        update, rollback = [call for call in self.plugins.journal('undone')
                            if call['call'] == 'pre'
                            and call['plugin'] == 'test_a'][1:]
        self.assertEqual({'text': None, 'test': 'one'}, update['resources'])
        self.assertEqual({'text': None, 'test': 'one',
                          'bad': 'test_string'},
                         update['new'])
        self.assertEqual({'text': None, 'test': 'one'}, rollback['new'])
