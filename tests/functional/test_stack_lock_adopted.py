# SPDX-License-Identifier: Apache-2.0

"""Tests of abandon and adopt with locks."""

import json

from tests.functional import base
from tests.functional import test_stack_lock_expiry
from tests.harness import waiting

_TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {'test': {'type': 'OS::Heat::TestResource', 'properties': {
        'value': {'get_param': 'value'}}}}}


class AdoptedTest(test_stack_lock_expiry.ExpiryTestCase):
    settings = test_stack_lock_expiry.ExpiryTest.settings
    name = 'abandoned'
    template = _TEMPLATE

    def adopt(self, data):
        answer = self.assert_status(201, self.client.post('/stacks', {
            'stack_name': 'adopted', 'template': _TEMPLATE,
            'adopt_stack_data': json.dumps(data)}))
        path = '/stacks/adopted/' + answer.json()['stack']['id']
        self.addCleanup(self.client.delete, path)
        self.client.wait_for_stack(path, ['ADOPT_COMPLETE'])
        return path

    def locks(self):
        return [each['stack_name'] for each
                in self.client.get('/locks').json()['locks']]

    def test_abandon_of_locked_stack_is_rejected(self):
        self.assert_status(200, self.lock(
            level='stacks', expires_at=test_stack_lock_expiry.FAR))
        message = self.assert_refused(self.client.delete(
            self.path + '/abandon'))
        self.assertIn(f'until {test_stack_lock_expiry.FAR}', message)
        self.assertEqual([self.name], self.locks())

    def test_adopted_stack_is_not_locked(self):
        self.assert_status(200, self.lock(
            level='stacks', expires_at=test_stack_lock_expiry.FAR))
        shown = self.client.show_stack(self.path)
        data = self.client.get(self.path + '/export').json()
        self.assertEqual([], [key for key in data if 'lock' in key])
        # Fields of another response, or of another Heat, are in the data.
        data.update({key: value for key, value in shown.items()
                     if 'lock' in key}, action='LOCK', status='COMPLETE')
        data['resources']['test'].update(action='LOCK', lock_level='all')
        path = self.adopt(data)
        adopted = self.client.show_stack(path)
        self.assertEqual(
            ('ADOPT_COMPLETE', None, None, None), tuple(
                adopted[key] for key in ('stack_status', 'lock_level',
                                         'lock_id', 'lock_expires_at')))
        self.assertEqual([self.name], self.locks())
        self.assert_status(202, self.client.patch(path, {
            'parameters': {'value': 'two'}}))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assert_refused(self.update())

    def test_abandon_after_unlock_leaves_no_lock(self):
        self.assert_status(200, self.lock(
            level='stacks', expires_at=test_stack_lock_expiry.FAR))
        self.assert_status(200, self.unlock())
        data = self.assert_status(
            200, self.client.delete(self.path + '/abandon')).json()
        waiting.until_equal('it to be gone', 404, lambda: self.client.get(
            f'/stacks/{self.name}').status_code)
        self.assertEqual([], self.sandbox.sql(
            'SELECT id FROM heat_extras_guard WHERE stack_id = ?',
            self.path.rpartition('/')[2]))
        path = self.adopt(data)
        self.assert_status(200, self.client.post(path + '/actions', {
            'lock': {'level': 'stacks'}}))
        self.assertEqual(['adopted'], self.locks())
        self.assert_status(200, self.client.post(path + '/actions', {
            'unlock': None}))


class LegacyAdoptedTest(AdoptedTest):
    settings = AdoptedTest.settings + base.LEGACY
