# SPDX-License-Identifier: Apache-2.0

"""Tests of the plan in the response of a preview of a new stack."""

import json
import os

from tests.functional import actual_changes
from tests.functional import base
from tests.functional import freeze_base
from tests.functional import plan_cases
from tests.functional import plan_group_cases
from tests.functional import plan_template_cases
from tests.functional import plan_type_cases
from tests.functional import plan_value_cases
from tests.functional import test_plan
from tests.functional import test_plan_accuracy
from tests.functional import test_plan_client

SECRET = test_plan.SECRET
STACK_NAME, STACK_ID = ({'get_param': f'OS::stack_{each}'}
                        for each in ('name', 'id'))

SHOWN = """\
Stack shop does not exist. This is the plan of its creation:
shop
  +    db (OS::Heat::TestResource)
         value: "m1.small"
  +    nodes (member.yaml)
         address: (known after resource db is created: output)
    +    server (OS::Heat::TestResource)
           value: (known after parameter address is known)
Plan: 3 to add, 0 to update, 0 to replace, 0 to remove; 0 unchanged.
"""

# The patterns of uncertain resources, by case.
CASES = {
    'nested_three_deep': {}, 'a_group_in_a_group': {},
    'members_with_metadata_and_conditions': {},
    'instances_of_a_configuration': {}, 'a_chain_of_other_types': {},
    'conditions_of_an_environment': {}, 'a_cfn_template': {},
    'input_values_of_deployments': {},
    'a_condition_on_an_unknown_value': {'n/c': 'added'},
    'resource_group_of_an_unknown_size': {
        'g/0': 'added', 'g/(others)': 'unknown'},
    'a_scaling_group_of_an_unknown_size': {'g/(others)': 'unknown'}}
ALL_CASES = {name: case for table in (
    plan_cases, plan_group_cases, plan_template_cases, plan_type_cases,
    plan_value_cases) for name, case in table.CASES.items()}


class CreateCase(test_plan.StopsTestCase):

    def preview(self, name, body):
        """Return the response of a preview of a new stack."""
        answer = self.client.post('/stacks/preview',
                                  {**body, 'stack_name': name})
        self.assertEqual(200, answer.status_code, answer.text)
        return answer.json()['stack']

    def values(self, name, body):
        """Return the planned values, or the sources of unknown values."""
        return {
            f'{path}.{value["path"]}':
            [(each['name'], each['attribute']) for each in value['waits_for']]
            if value['unknown'] else value['after']
            for path, entry in self.plan(name, body).items()
            for value in entry['values']}

    def begin(self, name, body):
        path = self.client.create_stack(name, wait=False, **body)
        self.addCleanup(self.client.delete, path)
        return path

    def assert_creation_fails(self, name, body, inner, kind):
        """Assert that a creation fails at a resource, with a certain stop."""
        message = self.certain_stop(name, body, inner, kind)
        stack = self.client.wait_for_stack(self.begin(name, body),
                                           ['CREATE_FAILED'])
        self.assertIn(kind, stack['stack_status_reason'])
        return message


class PlanOfCreateTest(CreateCase):

    settings = None

    def test_preview_of_heat_has_plan_in_addition(self):
        stack = self.preview('new', plan_cases.nested())
        self.assertEqual([2, 2], list(map(len, stack['resources'])))
        self.assertFalse(stack['plan_changes_stack'])
        self.assertEqual(
            ['alone', 'alone/s', 'alone/t', 'n', 'n/s', 'n/t'],
            [entry['path'] for entry in stack['plan']])
        self.assertEqual({('added', 'will', None, None)}, {
            tuple(entry[key] for key in (
                'action', 'certainty', 'physical_resource_id', 'order'))
            for entry in stack['plan']})
        self.assertEqual(test_plan.FIELDS, set(stack['plan'][0]))
        self.assertEqual(([], []), tuple(
            stack[f'plan_{each}'] for each in ('stops', 'hidden')))
        self.assertIn('seal', stack['plan_source'])
        self.assertEqual(404, self.client.get('/stacks/new').status_code)

    def test_unknown_values_name_their_sources(self):
        self.assertEqual({
            'a.value': 'new', 'b.value': [('OS::stack_id', None)],
            'c.value': [('a', 'output')], 'd.value': [('a', None)],
            'n.p': [('a', 'output')], 'n/s.value': [('p', None)],
            'n/t.value': [('OS::stack_name', None)],
            'n/u.value': 'known'}, self.values('new', plan_cases.body({
                'a': plan_cases.test(STACK_NAME),
                'b': plan_cases.test(STACK_ID),
                'c': plan_cases.test(plan_cases.attr('a')),
                'd': plan_cases.test(plan_cases.ref('a')),
                'n': {'type': 'm.yaml', 'properties': {
                    'p': plan_cases.attr('a')}}}, {'m.yaml': {
                        'parameters': {'p': {'type': 'string'}},
                        'resources': {
                            's': plan_cases.test({'get_param': 'p'}),
                            't': plan_cases.test(STACK_NAME),
                            'u': plan_cases.test('known')}}})))

    def test_values_of_hidden_parameters_are_not_shown(self):
        made = plan_cases.body({
            'a': plan_cases.test({'get_param': 'p'}),
            'b': plan_cases.test({'list_join': ['-', [
                'x', {'get_param': 'p'}]]}),
            'n': {'type': 'm.yaml', 'properties': {
                'p': {'get_param': 'p'}}}}, {'m.yaml': plan_cases.MEMBER})
        made['template']['parameters'] = {
            'p': {'type': 'string', 'hidden': True}}
        stack = self.preview('secret', {**made, 'parameters': {'p': SECRET}})
        self.assertNotIn(SECRET, json.dumps(
            [stack[each] for each in stack if each.startswith('plan')]))
        self.assertEqual(
            {'a', 'b', 'n', 'n/s'},
            {entry['path'] for entry in stack['plan']
             for value in entry['values'] if value['hidden']})

    def test_condition_on_generated_name_is_not_known(self):
        def body(kind):
            return plan_cases.body({'n': {'type': 'm.yaml'}}, {'m.yaml': {
                'conditions': {'on': {'equals': [
                    {'get_param': f'OS::{kind}'}, 'x']}},
                'resources': {'s': plan_cases.test(condition='on')}}})

        for kind, claims in (('stack_name', {'n': 'will', 'n/s': 'may'}),
                             ('project_id', {'n': 'will'})):
            self.assertEqual(claims, {
                path: entry['certainty'] for path, entry in
                self.plan('conditions', body(kind)).items()})

    def test_name_of_other_stack(self):
        body = plan_cases.body({'a': plan_cases.test()})
        path = self.create('taken', body)
        answer = self.client.post('/stacks/preview',
                                  {**body, 'stack_name': 'taken'})
        self.assertEqual((409, 'StackExists'), (
            answer.status_code, answer.json()['error']['type']))
        other = base.Client(self.sandbox.url.rpartition('/')[0] + '/elsewhere')
        self.assertEqual(200, other.post('/stacks/preview', {
            **body, 'stack_name': 'taken'}).status_code)
        self.client.delete(path)
        self.client.wait_until_free('taken')
        self.assertEqual({'a'}, set(self.plan('taken', body)))

    def test_creation_without_stops(self):
        self.assertEqual(([], {}), self.stops('free', plan_cases.nested()))

    def test_policy_of_resource_types(self):
        role = {'type': 'OS::Keystone::Role'}
        nested = plan_cases.body({'n': {'type': 'm.yaml'}}, {'m.yaml': {
            'resources': {'a': plan_cases.test(), 'b': role}}})
        self.client = self.sandbox.client('bob')
        answer = self.client.post('/stacks/preview', {
            **plan_cases.body({'b': role}), 'stack_name': 'forbidden'})
        self.assertEqual(403, answer.status_code)
        self.assertIn('OS::Keystone::', self.assert_creation_fails(
            'forbidden', nested, 'n', 'Forbidden'))

    def test_stop_by_known_value_that_is_not_allowed(self):
        def body(value):
            return plan_cases.body({
                'v': {'type': 'OS::Heat::Value',
                      'properties': {'value': value}},
                't': {**plan_cases.RANDOM, 'properties': {
                    'length': plan_cases.attr('v', 'value')}}})

        self.assertEqual(([], {}), self.stops('allowed', body('10')))
        self.assert_creation_fails('not-allowed', body('9999'), 't',
                                   'StackValidationFailed')


class PlanOfCreateLegacyTest(PlanOfCreateTest):
    settings = base.LEGACY


class AccuracyOfCreateTest(CreateCase):
    """Compare plans with the stacks that Heat creates."""

    settings = test_plan_accuracy.GroupsTest.settings

    def test_plans_match_created_stacks(self):
        for name, uncertain in CASES.items():
            with self.subTest(name):
                body = ALL_CASES[name]()[0]
                name = name.replace('_', '-')
                plan = self.preview(name, body)['plan']
                created = self.read_tree(self.create(name, body))
                self.assertEqual([], actual_changes.mistakes_of_creation(
                    plan, created))
                self.assertEqual([], actual_changes.surprises(plan, uncertain))


class CreateClientTest(test_plan_client.PlanClientCase):

    settings = None

    def write_template(self, value='one'):
        self.write('m.yaml', {**plan_cases.VERSION, **plan_cases.MEMBER})
        return self.write('new.yaml', plan_cases.nested(
            value=value)['template'])

    def test_plan_of_name_without_stack(self):
        path = self.write_template()
        for arguments in ((), ('--create',)):
            done = self.run_plan('web', '-t', path, *arguments)
            self.assertEqual(2, done.returncode, done.stderr)
            lines = done.stdout.splitlines()
            self.assertEqual([
                'Stack web does not exist. This is the plan of its creation:',
                'web', '  +    alone (file://' + os.path.join(
                    self.directory, 'm.yaml)')], lines[:3])
            self.assertIn('           value: "one"', lines)
            self.assertEqual('Plan: 6 to add, 0 to update, 0 to replace, 0 to '
                             'remove; 0 unchanged.', lines[-1])
        done = self.run_plan('web', '-t', path, '-f', 'json')
        self.assertIn('Stack web does not exist.', done.stderr)
        self.assertEqual({'added'}, {
            entry['action'] for entry in json.loads(done.stdout)['plan']})
        self.assertEqual(404, self.client.get('/stacks/web').status_code)
        done = self.client.openstack('stack', 'create', 'web', '-t', path,
                                     '--dry-run')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertNotIn('plan_stops', done.stdout)

    def test_output_shows_values(self):
        self.write('member.yaml', {
            **plan_cases.VERSION, 'parameters': {'address': {
                'type': 'string'}}, 'resources': {'server': plan_cases.test(
                    {'get_param': 'address'})}})
        done = self.run_plan('shop', '-t', self.write(
            'shop.yaml', plan_cases.body({
                'db': plan_cases.test('m1.small'),
                'nodes': {'type': 'member.yaml', 'properties': {
                    'address': plan_cases.attr('db')}}})['template']))
        self.assertEqual(SHOWN, done.stdout.replace(
            f'file://{self.directory}/', ''), done.stderr)

    def test_invalid_arguments_are_rejected(self):
        path = self.start('exists')
        missing = 'and stack web does not exist'
        for arguments, *texts in (
                (('web',), '--template: required', missing),
                (('web', '--create'), '--template: required'),
                (('web', '--existing'), '--existing: not allowed', missing),
                (('web', '-t', path, '--converge'), '--converge: not',
                 missing),
                (('web', '-t', path, '--clear-parameter', 'p'),
                 '--clear-parameter: not allowed', missing),
                (('web', '-t', path, '--create', '--existing'),
                 '--existing: not allowed'),
                (('exists', '-t', path, '--create'), 'already exists'),
                (('-t', path, 'e1b2c3d4-0000-4000-8000-000000000000'),
                 'could not be found'),
                (('-t', path, 'web/1'), 'could not be found'),
                (('-t', path, 'a b'), 'Invalid stack name')):
            done = self.run_plan(*arguments)
            self.assertEqual((1, ''), (done.returncode, done.stdout),
                             done.stderr)
            for text in texts:
                self.assertIn(text, done.stderr)
            self.assertEqual(missing in texts, missing in done.stderr)
        self.assertFalse(os.path.exists(path + '.plan'))

    def test_creation_that_is_stopped(self):
        self.client = self.sandbox.client('bob')
        self.write('m.yaml', {**plan_cases.VERSION, 'resources': {
            'r': {'type': 'OS::Keystone::Role'}}})
        path = self.write('new.yaml', plan_cases.body(
            {'n': {'type': 'm.yaml'}})['template'])
        done = self.run_plan('forbidden', '-t', path)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn('Stopped by Forbidden: ', done.stdout)


class LimitsOfCreateTest(CreateCase):
    """In a project of its own: classes of the same name share one."""

    settings = test_plan.HeatLimitsTest.settings

    def test_stops_by_limits_of_heat(self):
        def body(*names):
            return plan_cases.body(dict.fromkeys(names, {'type': 'm.yaml'}),
                                   {'m.yaml': {'resources': {
                                       's': plan_cases.test()}}})

        self.assertEqual(([], {}), self.stops('one', body('n')))
        # The first nested stack is created when the new stack is counted.
        self.create('first', plan_cases.body({'a': plan_cases.test()}))
        self.assertIn('max_stacks_per_tenant', self.assert_creation_fails(
            'second', body('n'), 'n', 'RequestLimitExceeded'))
        answer = self.client.post('/stacks/preview', {
            **body(), 'stack_name': 'third'})
        self.assertEqual((400, 'RequestLimitExceeded'), (
            answer.status_code, answer.json()['error']['type']))


class FrozenCreateTest(freeze_base.FreezeTestCase):

    def test_stop_by_freeze(self):
        body = {**plan_cases.body({'a': plan_cases.test()}),
                'stack_name': 'frozen-create'}
        self.freeze()
        answer = self.client.post('/stacks/preview', body)
        stop, = answer.json()['stack']['plan_stops']
        self.assertEqual(
            self.assert_frozen(self.client.post('/stacks', body), 'create'),
            stop['message'])
        self.assertEqual(('StackFrozen', 'before_start'),
                         (stop['type'], stop['when']))
