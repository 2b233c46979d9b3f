# SPDX-License-Identifier: Apache-2.0

"""Tests of the log lines of rejected requests."""

import itertools
import json

from tests.functional import base

_NUMBERS = itertools.count()
_TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'zone\nCRITICAL': {'type': 'string', 'default': 'one',
                                      'updatable': False}},
    'resources': {'test': {'type': 'OS::Heat::TestResource'},
                  'inner': {'type': 'inner.yaml'}}}
_FILES = {'inner.yaml': json.dumps({
    'heat_template_version': '2018-08-31',
    'resources': {'kept\nCRITICAL': {
        'type': 'OS::Heat::RandomString',
        'update_policy': {'allow': {'replace': False}}}}})}
_FAILING = """
CREATE TRIGGER failing BEFORE INSERT ON heat_extras_counter
BEGIN SELECT RAISE(ABORT, 'the database fails'); END"""


class ConvergenceTest(base.TestCase):
    def setUp(self):
        super().setUp()
        self.name = f'shop{next(_NUMBERS)}'
        self.path = self.client.create_stack(self.name, _TEMPLATE,
                                             files=_FILES)
        self.addCleanup(self.client.delete, self.path)

    def assert_one_line(self, answer, start):
        request_id = answer.headers['x-openstack-request-id']
        text = f'{start} of stack {self.name}'
        with open(self.sandbox.log_path) as source:
            lines = [line for line in source
                     if text in line and ' rejected: ' in line]
        self.assertEqual(1, len(lines), lines)
        self.assertIn(f'{request_id} alice ', lines[0])
        return lines[0]

    def test_parameter_rejection_is_logged_once(self):
        answer = self.client.put(self.path, {
            'template': _TEMPLATE, 'files': _FILES,
            'parameters': {'zone\nCRITICAL': 'two'}})
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn(r'zone\nCRITICAL',
                      self.assert_one_line(answer, 'update'))

    def test_mark_rejection_by_lock_is_logged_once(self):
        actions = self.path + '/actions'
        self.client.post(actions, {'lock': {'level': 'stacks'}})
        self.addCleanup(self.client.post, actions, {'unlock': None})
        answer = self.client.patch(self.path + '/resources/test',
                                   {'mark_unhealthy': True})
        self.assertEqual(409, answer.status_code, answer.text)
        self.assert_one_line(answer, 'mark unhealthy')

    def test_rejection_of_nested_delete_is_logged_in_one_line(self):
        inner = self.client.get(self.path + '/resources/inner').json()[
            'resource']['physical_resource_id']
        inner = self.client.show_stack(inner)
        answer = self.client.delete(
            f'/stacks/{inner["stack_name"]}/{inner["id"]}')
        self.assertEqual(409, answer.status_code, answer.text)
        self.assertIn(r'kept\nCRITICAL',
                      self.assert_one_line(answer, 'delete'))

    def test_rejection_does_not_depend_on_counter(self):
        self.sandbox.sql(_FAILING)
        self.addCleanup(self.sandbox.sql, 'DROP TRIGGER failing')
        answer = self.client.patch(self.path, {'parameters': {
            'zone\nCRITICAL': 'two'}})
        self.assertEqual(400, answer.status_code, answer.text)
        with open(self.sandbox.log_path) as source:
            self.assertIn('could not be increased: ', source.read())


class LegacyTest(ConvergenceTest):
    settings = '[DEFAULT]\nconvergence_engine = false\n'
