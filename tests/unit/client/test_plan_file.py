# SPDX-License-Identifier: Apache-2.0

"""Tests of the file of a reviewed plan."""

import json
import os

import fixtures
import testtools

from heat_extras.client import plan_file
from tests.unit.client import test_plan_tree

SECRET = 'hunter2'
STACK = {'id': '1', 'stack_name': 'web', 'more': 'x'}
SOURCE = {'revision': 'r', 'salt': 's',
          'hidden_parameters': {'password': 'digest'}}
NESTED = ('heat_template_version: 2018-08-31\n'
          'parameters: {key: {type: string, hidden: true}}\n')


def changes(*entries):
    return {'plan': list(entries), 'plan_stops': [], 'plan_source': SOURCE,
            'added': []}


def make(existing_files=(), **request):
    request = {'stack_id': 'web', 'parameters': {}, 'files': {},
               'environment': {}, 'template': {}, **request}
    return plan_file.make(STACK, request, changes(
        test_plan_tree.entry('a', 'added'), test_plan_tree.entry('b'),
        test_plan_tree.entry('c', 'unchanged', 'unknown')), existing_files)


class HiddenTest(testtools.TestCase):

    def test_values_are_in_no_part_of_the_request(self):
        values = {'password': SECRET, 'size': 3}
        text = f'parameters: {{password: {SECRET}, size: 3}}\n'
        found = make(
            parameters=values,
            environment={'parameters': values, 'parameter_defaults': values,
                         'resource_registry': {'A': 'a.yaml'}},
            files={'env.yaml': text, 'other': 'size'},
            environment_files=['env.yaml'])
        self.assertNotIn(SECRET, json.dumps(found))
        request = found['request']
        self.assertEqual({'size': 3}, request['parameters'])
        self.assertEqual(
            {'parameters': {'size': 3}, 'parameter_defaults': {'size': 3},
             'resource_registry': {'A': 'a.yaml'}}, request['environment'])
        self.assertEqual({'parameters': {'size': 3}},
                         json.loads(request['files']['env.yaml']))
        self.assertEqual('size', request['files']['other'])

    def test_a_default_of_a_hidden_parameter_of_a_nested_template(self):
        for given in ({'files': {'n.yaml': NESTED}},
                      {'existing_files': {'n.yaml': NESTED}},
                      {'files': {'n.yaml': json.dumps({
                          'AWSTemplateFormatVersion': '2010-09-09',
                          'Parameters': {'key': {'NoEcho': 'true'}}})}}):
            error = self.assertRaises(
                plan_file.PlanFileError, make,
                environment={'parameter_defaults': {'key': SECRET}}, **given)
            self.assertIn('a hidden parameter of n.yaml', str(error))
            self.assertNotIn(SECRET, str(error))


class FileTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.path = self.useFixture(fixtures.TempDir()).join('web.plan')

    def write(self, text):
        with open(self.path, 'w') as target:
            target.write(text)

    def test_it_is_read_as_it_was_written(self):
        plan_file.write(self.path, make())
        self.assertEqual(make(), plan_file.read(self.path))
        self.assertEqual(0o600, os.stat(self.path).st_mode & 0o777)

    def test_an_older_file_stays_if_a_new_one_cannot_be_written(self):
        plan_file.write(self.path, make())
        self.assertRaises(TypeError, plan_file.write, self.path, {'a': {1}})
        self.assertEqual(make(), plan_file.read(self.path))
        self.assertEqual(['web.plan'],
                         os.listdir(os.path.dirname(self.path)))

    def test_what_is_not_a_plan(self):
        for text, expected in (
                ('x', 'cannot be read'), ('[]', 'is not a plan'),
                ('{"format": "heat-extras plan 2"}', 'is not a plan'),
                ('{"format": "heat-extras plan 1", "plan": []}',
                 'it has no request, source, stack')):
            self.write(text)
            error = self.assertRaises(plan_file.PlanFileError,
                                      plan_file.read, self.path)
            self.assertIn(expected, str(error))


class RequestTest(testtools.TestCase):

    def test_it_is_the_request_of_the_plan(self):
        found = plan_file.update_request(
            make(tags='a,b', parameters={'size': 3}), {'password': SECRET})
        self.assertEqual(
            ('web/1', 'a,b', {'size': 3, 'password': SECRET}),
            (found['stack_id'], found['tags'], found['parameters']))
        self.assertEqual(
            {**SOURCE, 'changes': [
                {'path': 'a', 'action': 'added', 'certainty': 'will'},
                {'path': 'c', 'action': 'unchanged',
                 'certainty': 'unknown'}]}, found['plan'])

    def test_other_parameters_cannot_change(self):
        error = self.assertRaises(
            plan_file.PlanFileError, plan_file.update_request, make(),
            {'size': 4})
        self.assertIn('Parameter size cannot be given', str(error))

    def test_the_stack_of_the_plan(self):
        for name in ('web', '1', 'web/1'):
            plan_file.check_stack(make(), name)
        error = self.assertRaises(plan_file.PlanFileError,
                                  plan_file.check_stack, make(), 'db')
        self.assertEqual('The plan is for stack web (1), not for db.',
                         str(error))
