# SPDX-License-Identifier: Apache-2.0

"""Tests of the plugin heat_extras_limits in a running Heat."""

import json

from tests.functional import base
from tests.harness import waiting

RULES = """
rules:
  - name: few-strings
    limit: {types: ["OS::Heat::RandomString"], max: 3, per: tree}
    message: ask for more
  - name: few-in-project
    limit: {types: ["OS::Heat::Value"], max: 2, per: project}
  - name: no-test
    forbid: ["OS::Heat::TestRes*"]
  - name: short
    property: {types: ["OS::Heat::RandomString"], name: length,
               any_of: [8, 16]}
  - name: catastrophe
    property: {types: ["OS::Heat::Value"], name: value,
               pattern: "([a-z]+)*(-prod)?"}
  - name: owned
    tags: ["owner=*"]
    mode: warn
"""

FILES = {'inner.yaml': """
heat_template_version: 2018-08-31
parameters: {length: {type: number, default: 8}}
resources:
  text:
    type: OS::Heat::RandomString
    properties: {length: {get_param: length}}
"""}


def template(**resources):
    return {'heat_template_version': '2018-08-31', 'resources': resources}


def string(length=8, kind='OS::Heat::RandomString'):
    return {'type': kind, 'properties': {'length': length}}


def group(count, length=8):
    return {'type': 'OS::Heat::ResourceGroup', 'properties': {
        'count': count, 'resource_def': {
            'type': 'inner.yaml', 'properties': {'length': length}}}}


def value(text='x'):
    return {'type': 'OS::Heat::Value', 'properties': {'value': text}}


class LimitsTest(base.TestCase):
    is_shared = False

    @classmethod
    def setUpClass(cls):
        path = cls.write_for_class('limits.yaml', RULES)
        cls.settings = f'[heat_extras]\nlimits_file = {path}\n'
        super().setUpClass()

    def refused(self, name, wanted, **resources):
        path = self.client.create_stack(name, template(**resources),
                                        wait=False, files=FILES)
        return self.assert_refused(path, 'CREATE', wanted)

    def assert_refused(self, path, action, *wanted):
        stack = self.client.wait_for_stack(path, [f'{action}_FAILED'])
        for text in wanted:
            self.assertIn(text, stack['stack_status_reason'])
        return stack

    def test_all_violations_are_in_one_message(self):
        path = self.client.create_stack('bad', template(
            a=string(9), b=string(), c=string(), d=string(),
            t={'type': 'OS::Heat::TestResource'}), wait=False)
        self.assert_refused(
            path, 'CREATE', 'denied by lifecycle plugin heat_extras_limits',
            'few-strings: the stack tree would have 4 resources of type '
            'OS::Heat::RandomString, but at most 3 are allowed (ask for more)',
            'no-test: resource t has type OS::Heat::TestResource',
            'short: property "length" of resource a must be one of 8, 16')

    def test_tree_is_counted_before_update_starts(self):
        path = self.client.create_stack('grown', template(
            a=string(), group=group(2)), files=FILES)
        update = {'template': template(a=string(), group=group(3)),
                  'files': FILES}
        self.assertEqual(202, self.client.put(path, update).status_code)
        stack = self.assert_refused(path, 'UPDATE', '4 resources of type')
        self.assertIn('the stack tree', stack['stack_status_reason'])
        update['template']['resources']['group'] = group(1)
        self.assertEqual(202, self.client.put(path, update).status_code)
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'],
                                   failed='UPDATE_FAILED')

    def test_preview_shows_denial_and_changes_nothing(self):
        path = self.client.create_stack('planned', template(a=string()),
                                        files=FILES)
        events = self.client.get(path + '/events').json()
        update = {'template': template(a=string(9)), 'files': FILES}
        answer = self.client.put(path + '/preview', update)
        stop, = answer.json()['resource_changes']['plan_stops']
        self.assertEqual('LifecyclePluginDenied', stop['type'])
        self.assertEqual(events, self.client.get(path + '/events').json())
        self.client.put(path, update)
        self.assert_refused(path, 'UPDATE', stop['message'])

    def test_preview_of_new_stack_shows_denial_for_whole_tree(self):
        body = {'template': template(group=group(4)), 'files': FILES}
        answer = self.client.post('/stacks/preview', {
            **body, 'stack_name': 'unborn'})
        stop, = answer.json()['stack']['plan_stops']
        self.assertEqual('LifecyclePluginDenied', stop['type'])
        path = self.client.create_stack('unborn', wait=False, **body)
        self.assert_refused(path, 'CREATE', stop['message'])

    def test_scaling_group_is_counted_before_update_starts(self):
        def scaled(least):
            return template(group={
                'type': 'OS::Heat::AutoScalingGroup', 'properties': {
                    'min_size': least, 'max_size': 5,
                    'resource': {'type': 'inner.yaml'}}})
        path = self.client.create_stack('larger', scaled(1), files=FILES)
        group_id = self.client.get(path + '/resources/group').json()[
            'resource']['physical_resource_id']
        self.client.put(path, {'template': scaled(4), 'files': FILES})
        self.assert_refused(path, 'UPDATE', '4 resources of type')
        self.assertEqual('CREATE_COMPLETE', self.client.get(
            f'/stacks/{group_id}').json()['stack']['stack_status'])

    def test_condition_of_member_is_known_later(self):
        member = {'heat_template_version': '2018-08-31',
                  'parameters': {'on': {'type': 'boolean'}},
                  'conditions': {'is_on': {'get_param': 'on'}},
                  'resources': {'text': dict(string(), condition='is_on')}}
        sent = template(flag=value('true'), members={
            'type': 'OS::Heat::ResourceGroup', 'properties': {
                'count': 2, 'resource_def': {
                    'type': 'member.yaml', 'properties': {
                        'on': {'get_attr': ['flag', 'value']}}}}})
        path = self.client.create_stack(
            'conditional', sent, files={'member.yaml': json.dumps(member)})
        sent['resources']['members']['properties']['count'] = 4
        self.client.put(path, {'template': sent, 'existing': True})
        self.assert_refused(path, 'UPDATE', 'few-strings')
        self.client.delete(path)
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])

    def test_scaling_signal_is_checked(self):
        path = self.client.create_stack('scaled', template(
            a=string(), b=string(),
            group={'type': 'OS::Heat::AutoScalingGroup', 'properties': {
                'min_size': 1, 'max_size': 5,
                'resource': {'type': 'inner.yaml'}}},
            up={'type': 'OS::Heat::ScalingPolicy', 'properties': {
                'adjustment_type': 'change_in_capacity',
                'auto_scaling_group_id': {'get_resource': 'group'},
                'scaling_adjustment': 1}}), files=FILES)
        group_id = self.client.get(path + '/resources/group').json()[
            'resource']['physical_resource_id']
        self.client.post(path + '/resources/up/signal', {})
        reason = waiting.until(
            'the denial of the signal',
            lambda: self.client.get(f'/stacks/{group_id}').json()[
                'stack']['stack_status_reason'],
            lambda reason: 'denied' in reason)
        self.assertIn('few-strings: the stack tree would have 4 resources',
                      reason)

    def test_nested_stack_is_checked(self):
        path = self.client.create_stack('inner', template(
            group=group(1, 9)), files=FILES, wait=False)
        self.assert_refused(path, 'CREATE', 'property "length" of resource '
                            'text must be one of')

    def test_denied_update_of_nested_stack_changes_nothing(self):
        path = self.client.create_stack('inside', template(
            a=string(), group=group(1)), files=FILES)
        before = self.client.get(path + '/resources?nested_depth=3').json()
        update = {'template': template(a=string(16), group=group(1, 9)),
                  'files': FILES}
        plan = self.client.put(path + '/preview', update).json()[
            'resource_changes']
        self.assertEqual([], plan['plan_stops'])
        (place, stop), = [(entry['path'], stop) for entry in plan['plan']
                          for stop in entry['stops']]
        self.assertEqual(('group/0', 'will', 'before_start'),
                         (place, stop['certainty'], stop['when']))
        self.client.put(path, update)
        stack = self.assert_refused(path, 'UPDATE', stop['message'])
        self.assertEqual(
            'UPDATE of nested stack group/0 denied by lifecycle plugin '
            'heat_extras_limits: short: property "length" of resource text '
            'must be one of 8, 16. Nothing was changed.',
            stack['stack_status_reason'])
        self.assertEqual(before, self.client.get(
            path + '/resources?nested_depth=3').json())

    def test_hidden_value_is_not_shown(self):
        broken = template(a=string({'get_param': 'length'}))
        broken['parameters'] = {'length': {'type': 'number', 'hidden': True}}
        path = self.client.create_stack('hidden', broken, wait=False,
                                        parameters={'length': 77})
        stack = self.assert_refused(path, 'CREATE', ' must be one of ')
        self.assertNotIn('77', stack['stack_status_reason'])

    def test_value_derived_from_hidden_value_is_not_shown(self):
        part = {'str_split': ['-', {'get_param': 'both'}, 1]}
        for name, resources in (
                ('part', {'a': string(part)}),
                ('nested', {'group': group(1, part)}),
                ('chosen', {'a': string({'if': ['is_both', 73, 74]})})):
            broken = {**template(**resources), 'parameters': {
                'both': {'type': 'string', 'hidden': True}},
                'conditions': {'is_both': {'equals': [
                    {'get_param': 'both'}, 'x-73']}}}
            path = self.client.create_stack(
                f'derived-{name}', broken, wait=False, files=FILES,
                parameters={'both': 'x-73'})
            stack = self.assert_refused(path, 'CREATE', ' must be one of ')
            self.assertNotIn('73', stack['stack_status_reason'])

    def test_alias_of_resource_type_is_checked(self):
        path = self.client.create_stack(
            'alias', template(a=string(9, 'Mine::String')), wait=False,
            environment={'resource_registry': {
                'Mine::String': 'OS::Heat::RandomString'}})
        self.assert_refused(path, 'CREATE', 'resource a must be')

    def test_pattern_matching_does_not_block_engine(self):
        self.client = self.elsewhere('held')
        # Python's own matching would take days for the first.
        for number, text in enumerate((
                'a' * 45 + '!', 'a' * 400000, '\ud800', float('9' * 300))):
            # A name is free a moment after its stack is DELETE_COMPLETE.
            path = self.client.create_stack(f'held-{number}', template(
                a=value(text)), wait=False)
            self.assert_refused(path, 'CREATE',
                                ' must match the pattern ([a-z]+)*(-prod)?')
            self.client.delete(path)
            self.client.wait_for_stack(path, ['DELETE_COMPLETE'],
                                       failed='CREATE_FAILED')
        self.client.create_stack('held', template(a=value('abc-prod')))

    def elsewhere(self, project):
        url = self.sandbox.url.rpartition('/')[0]
        return base.Client(f'{url}/{project}')

    def test_resources_of_project_are_counted(self):
        self.client.create_stack('first', template(a=value(), b=value()))
        path = self.client.create_stack('second', template(a=value()),
                                        wait=False)
        self.assert_refused(path, 'CREATE', 'few-in-project: the project '
                            'would have 3 resources')
        self.elsewhere('counted').create_stack(
            'third', template(a=value(), b=value()))

    def test_warning_is_recorded_as_event(self):
        path = self.client.create_stack('warned', template(a=string()))
        reasons = [event['resource_status_reason'] for event in
                   self.client.get(path + '/events').json()['events']]
        self.assertIn('Warning: owned: the stack has no tag "owner=*", which '
                      'is required',
                      reasons)
        path = self.client.create_stack('tagged', template(a=string()),
                                        tags='owner=me')
        self.assertNotIn('Warning', self.client.get(path + '/events').text)


class OldStacksTest(base.TestCase):
    """Tests of rules that are newer than the stacks that violate them."""

    is_shared = False
    # setUp adds options to this file.
    settings = '[heat_extras]\n'
    first = 'rules: [{name: any, limit: {types: ["x"], max: 9, per: tree}}]'
    rules = """
rules:
  - name: no-test
    forbid: ["OS::Heat::TestRes*"]
  - name: few-strings
    limit: {types: ["OS::Heat::RandomString"], max: 1, per: project}
  - name: short
    property: {types: ["OS::Heat::RandomString"], name: length, any_of: [8]}
  - name: salted
    property: {types: ["OS::Heat::RandomString"], name: salt, pattern: "x"}
"""

    def setUp(self):
        super().setUp()
        self.rules_path = self.write('limits.yaml', self.first)
        with open(self.sandbox.settings_path, 'w') as settings:
            settings.write(f'[heat_extras]\nlimits_file = {self.rules_path}\n')
        self.restart()
        old = {**string(16), 'properties': {
            'length': 16, 'salt': {'get_attr': ['named', 'value']}}}
        self.template = template(
            old=old, test={'type': 'OS::Heat::TestResource'},
            named=value(), free=value('one'), inner=group(1, 16))
        self.files = {'inner.yaml': FILES['inner.yaml'] + (
            '  test: {type: OS::Heat::TestResource}\n')}
        self.path = self.client.create_stack('old', self.template,
                                             files=self.files)

    def restart(self):
        self.sandbox.restart()
        self.client = self.sandbox.client()

    def write(self, name, text):
        path = f'{self.sandbox.directory}/{name}'
        with open(path, 'w') as target:
            target.write(text)
        return path

    def update(self, status, **resources):
        changed = template(**{**self.template['resources'], **resources})
        answer = self.client.put(self.path, {'template': changed,
                                             'files': self.files})
        self.assertEqual(202, answer.status_code, answer.text)
        stack = self.client.wait_for_stack(self.path, [status])
        return stack['stack_status_reason']

    def test_rules_apply_only_to_changes_of_old_stacks(self):
        self.write('limits.yaml', self.rules)
        self.restart()
        self.update('UPDATE_COMPLETE', free=value('two'))
        for resources, wanted in (
                ({'free': {'type': 'OS::Heat::TestResource'}}, 'free'),
                ({'test': {'type': 'OS::Heat::TestResource',
                           'properties': {'value': 'two'}}}, 'test'),
                ({'old': string(24)}, 'old'),
                # Its salt is not known before the update any more.
                ({'named': value('y'), 'free': value('two')}, 'old')):
            self.assertIn(f'resource {wanted}', self.update(
                'UPDATE_FAILED', **resources))
        reason = self.update('UPDATE_FAILED', inner=group(2, 16))
        self.assertIn('nested stacks have type', reason)
