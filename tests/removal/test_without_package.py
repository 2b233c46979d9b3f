# SPDX-License-Identifier: Apache-2.0

"""Heat without the package, and templates with heat-extras attributes.

The page doc/source/install/evaluate.rst describes the errors.
"""

import pathlib

import testtools

from tests.functional import base
from tests.harness import environment

ROOT = pathlib.Path(__file__).parents[2]
PROCESS_FAULTS = ROOT / 'tests' / 'harness' / 'process_faults'

PLAIN = {
    'heat_template_version': '2018-08-31',
    'parameters': {'size': {'type': 'string', 'default': 'one'}},
    'resources': {'disk': {'type': 'OS::Heat::TestResource'}},
}
FIXED = {**PLAIN, 'parameters': {
    'size': {'type': 'string', 'default': 'one', 'updatable': False}}}
KEPT = {**PLAIN, 'resources': {'disk': {
    'type': 'OS::Heat::TestResource',
    'update_policy': {'allow': {'replace': False}}}}}

# The error of each template, and the name that the page does not state.
SAID = (
    (FIXED, "Invalid key 'updatable' for parameter (%s)", 'size'),
    (KEPT, 'Property error: resources.%s.update_policy: Unknown Property '
           'allow', 'disk'))


class WithoutPackageTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.sandbox = self.useFixture(base.Sandbox(['--features', 'all']))
        self.client = self.sandbox.client()

    def remove_the_package(self):
        self.sandbox.options[1] = ''
        with environment.Environment(
                PROCESS_FAULTS, HEAT_EXTRAS_FAULT='package_missing'):
            self.sandbox.restart()
        self.client = self.sandbox.client()

    def told(self, answer, words):
        self.assertEqual(400, answer.status_code, answer.text)
        self.assertIn(words, answer.json()['error']['message'])

    def test_new_templates_are_rejected_with_documented_errors(self):
        path = self.client.create_stack('plain', PLAIN)
        self.remove_the_package()
        page = (ROOT / 'doc/source/install/evaluate.rst').read_text()
        for template, words, name in SAID:
            self.assertIn(f'``{words % "NAME"}``', page)
            body = {'template': template}
            for answer in (
                    self.client.post('/stacks', {
                        'stack_name': 'new', **body}),
                    self.client.post('/validate', body),
                    self.client.put(path, body),
                    self.client.put(path + '/preview', body)):
                self.told(answer, words % name)
        stack, = self.client.get('/stacks').json()['stacks']
        self.assertEqual(('plain', 'CREATE_COMPLETE'), (
            stack['stack_name'], stack['stack_status']))

    def test_operations_on_existing_guarded_stacks(self):
        fixed = self.client.create_stack('fixed', FIXED)
        kept = self.client.create_stack('kept', KEPT)
        self.remove_the_package()
        self.assertEqual(200, self.client.get('/stacks').status_code)
        for ask in (self.client.get, self.client.delete):
            self.told(ask(fixed), 'updatable')
        for path in (fixed, kept):
            self.assertEqual(400, self.client.patch(
                path, {'parameters': {}}).status_code)
        self.assertEqual(200, self.client.get(kept).status_code)
        self.assertEqual(204, self.client.delete(kept).status_code)
