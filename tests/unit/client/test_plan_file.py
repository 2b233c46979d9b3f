# SPDX-License-Identifier: Apache-2.0

"""Tests of the file of a reviewed plan."""

import contextlib
import functools
import json
import operator
import os
import stat

import fixtures
import testtools

from heat_extras.client import plan_file
from tests.unit.client import test_plan_tree

SECRET = 'hunter2'
STACK = {'id': '1', 'stack_name': 'web', 'more': 'x'}
SOURCE = {'revision': 'r', 'salt': 's', 'seal': 'l',
          'hidden_parameters': {'password': 'digest'}}


def changes(*entries, plan_hidden=()):
    return {'plan': list(entries), 'plan_stops': [],
            'plan_source': {**SOURCE, 'digest': 'd'},
            'plan_hidden': [{'name': name, 'template': template}
                            for name, template in plan_hidden], 'added': []}


def make(plan_hidden=(), **request):
    request = {'stack_id': 'web', 'parameters': {}, 'files': {},
               'environment': {}, 'template': {}, 'converge': False,
               **request}
    return plan_file.make(STACK, request, changes(
        test_plan_tree.entry('a', 'added'), test_plan_tree.entry('b'),
        test_plan_tree.entry('c', 'unchanged', 'unknown'),
        plan_hidden=plan_hidden))


def _places(part, place=()):
    """Yield the place of each value in a document."""
    for key in (range(len(part)) if isinstance(part, list)
                else part if isinstance(part, dict) else ()):
        yield (*place, key)
        yield from _places(part[key], (*place, key))


class HiddenParametersTest(testtools.TestCase):

    def test_hidden_values_are_removed_from_request(self):
        values = {'password': SECRET, 'size': 3}
        text = f'parameters: {{password: {SECRET}, size: 3}}\n'
        plan = make(
            parameters=values,
            environment={'parameters': values, 'parameter_defaults': values,
                         'resource_registry': {'A': 'a.yaml'}},
            files={'env.yaml': text, 'other': 'size'},
            environment_files=['env.yaml'])
        self.assertNotIn(SECRET, json.dumps(plan))
        request = plan['request']
        self.assertEqual({'size': 3}, request['parameters'])
        # Heat ignores the environment if there are environment files.
        self.assertNotIn('environment', request)
        self.assertEqual({'parameters': {'size': 3}},
                         json.loads(request['files']['env.yaml']))
        self.assertEqual('size', request['files']['other'])

    def test_hidden_values_are_removed_from_environment(self):
        values = {'password': SECRET, 'size': 3}
        plan = make(environment={
            'parameters': values, 'parameter_defaults': values,
            'resource_registry': {'A': 'a.yaml'}})
        self.assertEqual(
            {'parameters': {'size': 3}, 'parameter_defaults': {'size': 3},
             'resource_registry': {'A': 'a.yaml'}},
            plan['request']['environment'])

    def test_hidden_default_is_rejected(self):
        for template, text in (
                ('n.yaml', 'a value of "key", a hidden parameter that '
                           'template n.yaml also has'),
                (None, 'hidden parameter of the current template. Remove '
                       '"key"')):
            for given in ({'environment': {
                    'parameter_defaults': {'key': SECRET}}}, {
                        'environment_files': ['env.yaml'], 'files': {
                            'env.yaml': f'parameter_defaults: {{key: '
                                        f'{SECRET}}}'}}):
                error = self.assertRaises(
                    plan_file.PlanFileError, make, [('key', template)],
                    **given)
                self.assertIn(text, str(error))
                self.assertNotIn(SECRET, str(error))

    def test_parameter_values_from_files_are_decoded(self):
        plan = make(parameters={'size': b'3', 'password': b'hunter2'})
        self.assertEqual({'size': '3'}, plan['request']['parameters'])


class PlanFileTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.path = self.useFixture(fixtures.TempDir()).join('web.plan')

    def write(self, text):
        with open(self.path, 'w') as target:
            target.write(text)

    def test_plan_file_is_private_and_read_unchanged(self):
        plan_file.write(self.path, make())
        self.assertEqual(make(), plan_file.read(self.path))
        self.assertEqual(0o600, os.stat(self.path).st_mode & 0o777)

    def test_failed_write_keeps_older_plan_file(self):
        plan_file.write(self.path, make())
        self.assertRaises(TypeError, plan_file.write, self.path, {'a': {1}})
        self.assertEqual(make(), plan_file.read(self.path))
        self.assertEqual(['web.plan'],
                         os.listdir(os.path.dirname(self.path)))

    def test_path_that_is_not_a_regular_file_is_rejected(self):
        os.mkfifo(self.path)
        for path in self.path, os.path.dirname(self.path), os.devnull:
            error = self.assertRaises(plan_file.PlanFileError,
                                      plan_file.write, path, make())
            self.assertIn(f'The plan {path} cannot be written: expected the '
                          'path of a new file', str(error))
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path).st_mode))
        error = self.assertRaises(
            plan_file.PlanFileError, plan_file.write,
            os.path.join(self.path + 'x', 'y'), make())
        self.assertIn('x/y cannot be written: No such file', str(error))

    def test_other_file_is_not_replaced(self):
        for text, is_replaced in (('heat_template_version: x\n', False),
                                  ('{}', False), ('', True),
                                  ('{"format": "heat-extras plan 1"}', True)):
            self.write(text)
            if is_replaced:
                plan_file.write(self.path, make())
                self.assertEqual(make(), plan_file.read(self.path))
                continue
            error = self.assertRaises(plan_file.PlanFileError,
                                      plan_file.write, self.path, make())
            self.assertIn('or of another plan', str(error))
            self.assertEqual(text, open(self.path).read())

    def test_redirected_output_is_not_replaced(self):
        with open(self.path, 'w') as output:
            self.useFixture(fixtures.MockPatchObject(
                plan_file, '_STANDARD_OUTPUT', output.fileno()))
            for path in f'/dev/fd/{output.fileno()}', self.path:
                self.assertRaises(plan_file.PlanFileError, plan_file.write,
                                  path, make())
        self.assertEqual('', open(self.path).read())

    def test_write_keeps_symbolic_link(self):
        link = self.path + '.link'
        os.symlink(self.path, link)
        plan_file.write(link, make())
        self.assertTrue(os.path.islink(link))
        self.assertEqual(make(), plan_file.read(self.path))

    def test_invalid_part_of_plan_file_is_rejected(self):
        for part, value in (
                ('stack', []), ('stack', {'id': '1'}), ('source', None),
                ('source', {}), ('request', []), ('request', {}),
                ('plan', 1), ('plan', {'a': 1}), ('plan', [1]),
                ('plan', [{'path': 'a'}]), ('plan_stops', None),
                ('plan_stops', [{}])):
            self.write(json.dumps({**make(), part: value}))
            error = self.assertRaises(plan_file.PlanFileError,
                                      plan_file.read, self.path)
            self.assertIn(f'is not valid: "{part}" must have', str(error))

    def test_value_of_another_type_is_rejected_or_harmless(self):
        for place in list(_places(make())):
            for value in (None, 1, 'x', [], ['x'], [{}], {}, {'x': [1]}):
                document = make()
                functools.reduce(operator.getitem, place[:-1],
                                 document)[place[-1]] = value
                self.write(json.dumps(document))
                with contextlib.suppress(plan_file.PlanFileError):
                    self.assertEqual(document, plan_file.read(self.path))
                    plan_file.make_request(document, {})

    def test_form_of_request_is_described(self):
        for fields in ({'parameters': 1}, {'environment_files': ['env']}):
            document = make()
            self.assertIn('environment', document['request'])
            document['request'].update(fields)
            self.write(json.dumps(document))
            error = self.assertRaises(plan_file.PlanFileError, plan_file.read,
                                      self.path)
            self.assertIn('is not valid: a part has another form', str(error))

    def test_name_that_is_not_printable_is_rejected(self):
        for name in 'a\x1b[31m', 'a\nb', None, 1, ['a']:
            self.write(json.dumps({**make(), 'stack': {
                'id': '1', 'name': name}}))
            error = self.assertRaises(plan_file.PlanFileError, plan_file.read,
                                      self.path)
            self.assertIn('is not valid: a part has another form', str(error))

    def test_file_that_is_not_a_plan_is_rejected(self):
        for text, expected in (
                ('x', 'is not a plan'), ('[]', 'is not a plan'),
                (json.dumps(make())[:-1] + ', "plan": []}', 'is not a plan'),
                ('{"format": "heat-extras plan 1"}',
                 'has the format "heat-extras plan 1": expected "heat-extras '
                 'plan 2". Make a new plan.'),
                ('{"format": "heat-extras plan 2", "plan": []}',
                 'expected also plan_stops, request, source, stack')):
            self.write(text)
            error = self.assertRaises(plan_file.PlanFileError,
                                      plan_file.read, self.path)
            self.assertIn(expected, str(error))


class RequestTest(testtools.TestCase):

    def test_creation_has_name_and_flag_of_creations(self):
        path = self.useFixture(fixtures.TempDir()).join('new.plan')
        document = {**make(), 'stack': {'id': None, 'name': 'new'}}
        plan_file.write(path, document)
        error = self.assertRaises(plan_file.PlanFileError, plan_file.read,
                                  path)
        self.assertIn('must have the keys disable_rollback, parameters',
                      str(error))
        document['request'] = {'parameters': {}, 'disable_rollback': True}
        plan_file.write(path, document)
        request = plan_file.make_request(plan_file.read(path), {})
        self.assertEqual(
            ('new', 'true with plan'),
            (request['stack_name'], request['disable_rollback']))
        self.assertFalse({'stack_id', 'converge'} & set(request))

    def test_request_has_request_and_changes_of_plan(self):
        request = plan_file.make_request(
            make(tags='a,b', parameters={'size': 3}), {'password': SECRET})
        self.assertEqual(
            ('web/1', 'a,b', {'size': 3, 'password': SECRET},
             'false with plan'),
            (request['stack_id'], request['tags'], request['parameters'],
             request['converge']))
        plan = request['plan']
        self.assertEqual(64, len(plan['digest']))
        self.assertEqual(
            {**SOURCE, 'digest': plan['digest'], 'changes': [
                {'path': 'a', 'action': 'added', 'certainty': 'will'},
                {'path': 'c', 'action': 'unchanged',
                 'certainty': 'unknown'}]}, plan)

    def test_parameter_that_is_not_hidden_is_rejected(self):
        error = self.assertRaises(
            plan_file.PlanFileError, plan_file.make_request, make(),
            {'size': 4})
        self.assertIn('Parameter "size" cannot be given', str(error))

    def test_plan_for_other_stack_is_rejected(self):
        for name in ('web', '1', 'web/1'):
            plan_file.check_stack(make(), name)
        error = self.assertRaises(plan_file.PlanFileError,
                                  plan_file.check_stack, make(), 'db')
        self.assertEqual('The plan is for stack web (1), not for stack db. '
                         'Give the stack of the plan, or make a new plan.',
                         str(error))
