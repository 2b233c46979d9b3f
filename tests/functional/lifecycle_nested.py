# SPDX-License-Identifier: Apache-2.0

"""Tests of dry runs of lifecycle plugins for nested stacks."""

import collections
import copy
import re

from tests.functional import lifecycle_actions
from tests.functional import lifecycle_denials
from tests.functional import templates
from tests.harness import waiting

FILES = {
    'outer.yaml': """
heat_template_version: 2018-08-31
parameters: {value: {type: string, default: one}}
resources:
  first:
    type: OS::Heat::TestResource
    properties: {value: {get_param: value}}
  deep:
    type: inner.yaml
    properties: {value: {get_param: value}}
""", 'inner.yaml': """
heat_template_version: 2018-08-31
parameters: {value: {type: string, default: one}}
resources:
  leaf:
    type: OS::Heat::TestResource
    properties: {value: {get_param: value}}
outputs: {value: {value: {get_attr: [leaf, output]}}}
"""}
# What Heat adds to the name of a nested stack.
_SUFFIX = re.compile('-[a-z0-9]{12}(?=-|$)')


def group(count, value):
    return {'type': 'OS::Heat::ResourceGroup', 'properties': {
        'count': count, 'resource_def': {
            'type': 'inner.yaml', 'properties': {'value': value}}}}


def tree(value='one', count=1, **resources):
    """Return a template with nested stacks of depth 2, and a group."""
    return {'heat_template_version': '2018-08-31', 'resources': {
        'own': {'type': 'OS::Heat::TestResource',
                'properties': {'value': value}},
        'outer': {'type': 'outer.yaml', 'properties': {'value': value}},
        'group': group(count, value), **resources}}


# Known when resource own is updated.
UNKNOWN = {'type': 'inner.yaml', 'properties': {
    'value': {'get_attr': ['own', 'output']}}}


class DryRuns(lifecycle_denials.TestCase):

    def create(self, name, template=None):
        path = self.client.create_stack(name, template or tree(), files=FILES)
        self.forget()
        return path

    def forget(self):
        waiting.until_equal('the rows of operations', [], self.rows)
        self.plugins.forget()

    def update(self, path, template, status='UPDATE_COMPLETE'):
        answer = self.client.put(path, {'template': template, 'files': FILES})
        self.assertEqual(202, answer.status_code, answer.text)
        return self.client.wait_for_stack(path, [status])

    def preview(self, path, template):
        """Return the stops of a plan, as (path, stop)."""
        answer = self.client.put(path + '/preview', {
            'template': template, 'files': FILES})
        changes = answer.json()['resource_changes']
        return [(None, stop) for stop in changes['plan_stops']] + [
            (entry['path'], stop) for entry in changes['plan']
            for stop in entry['stops']]

    def dry_runs(self):
        return [(call['action'], '/'.join(call['path']))
                for call in self.plugins.dry_runs()]

    def deny_nested(self, action):
        return self.order('deny_nested', 'test_b', action, 'not inside')

    def list_tree(self, path):
        resources = self.client.get(
            f'{path}/resources?nested_depth=5').json()['resources']
        return sorted((resource['resource_name'],
                       resource['physical_resource_id'],
                       resource['resource_status'],
                       resource['updated_time']) for resource in resources)

    def assert_untouched(self, path, stack, name, wanted, before):
        self.assertEqual(
            f'{wanted} denied by lifecycle plugin test_b: not inside. '
            'Nothing was changed.', stack['stack_status_reason'])
        self.assertEqual(before, self.list_tree(path))
        self.assertEqual(
            lifecycle_actions.both('UPDATE', failed=True)[:-1],
            self.calls(name))
        self.assertEqual({name}, {call['stack'] for call
                                  in self.plugins.journal()})

    def test_denied_update_of_nested_stack_changes_nothing(self):
        path = self.create('inside')
        before = self.list_tree(path)
        order = self.deny_nested('UPDATE')
        stack = self.update(path, tree('two'), 'UPDATE_FAILED')
        self.assert_untouched(path, stack, 'inside',
                              'UPDATE of nested stack group', before)
        order.write_text('')
        self.update(path, tree('two'))

    def test_denied_creation_at_depth_two_changes_nothing(self):
        path = self.create('deeper', tree(
            outer={'type': 'OS::Heat::RandomString'}, group=group(0, 'one')))
        before = self.list_tree(path)
        self.deny_nested('CREATE')
        new = tree('two', group=group(0, 'one'))
        self.assertEqual(
            [('outer', 'CREATE of nested stack outer'),
             ('outer/deep', 'CREATE of nested stack outer/deep')],
            [(place, stop['message'].partition(' denied')[0])
             for place, stop in self.preview(path, new)
             if stop['certainty'] == 'will'])
        stack = self.update(path, new, 'UPDATE_FAILED')
        self.assert_untouched(path, stack, 'deeper',
                              'CREATE of nested stack outer', before)

    def test_denied_deletion_of_group_member_changes_nothing(self):
        path = self.create('shrunk', tree(count=2))
        before = self.list_tree(path)
        order = self.deny_nested('DELETE')
        (place, stop), = [
            found for found in self.preview(path, tree('two'))
            if found[1]['type'] == 'LifecyclePluginDenied']
        self.assertEqual('group/1', place)
        self.assertEqual(('will', 'before_start'),
                         (stop['certainty'], stop['when']))
        stack = self.update(path, tree('two'), 'UPDATE_FAILED')
        self.assert_untouched(path, stack, 'shrunk',
                              'DELETE of nested stack group/1', before)
        self.assertIn(stop['message'], stack['stack_status_reason'])
        order.write_text('')
        self.client.delete(path)
        self.wait(path, 'DELETE_COMPLETE')

    def test_denied_creation_of_nested_stack_creates_nothing(self):
        self.deny_nested('CREATE')
        path = self.client.create_stack('unborn', tree(), wait=False,
                                        files=FILES)
        stack = self.wait(path, 'CREATE_FAILED')
        self.assertEqual(
            'CREATE of nested stack group denied by lifecycle plugin test_b: '
            'not inside. Nothing was created.', stack['stack_status_reason'])
        for resource in self.client.get(
                path + '/resources').json()['resources']:
            self.assertEqual('INIT_COMPLETE', resource['resource_status'])

    def test_each_nested_stack_has_one_dry_run_and_the_calls_of_heat(self):
        self.plugins.forget()
        path = self.client.create_stack('once', tree(), files=FILES)
        self.assert_dry_runs_match(4)
        # Members are added, changed and removed, and stacks replaced.
        for template, number in (
                (tree('two', 3), 6), (tree('two', 3), 6), (tree('two', 1), 6),
                (tree('two', outer={'type': 'OS::Heat::RandomString'}), 4),
                (tree('two', outer=group(2, 'x')), 5),
                (tree('two', outer={'type': 'outer.yaml'}), 7)):
            self.forget()
            self.update(path, template)
            self.assert_dry_runs_match(number)

    def assert_dry_runs_match(self, number):
        waiting.until_equal('the rows of operations', [], self.rows)
        calls = collections.Counter(
            (call['action'], _SUFFIX.sub('', call['stack']))
            for call in self.plugins.journal()
            if call['call'] == 'pre' and call['nested']
            and call['plugin'] == 'test_b')
        dry_runs = self.plugins.dry_runs()
        self.assertEqual(calls, collections.Counter(
            (call['action'], _SUFFIX.sub('', call['stack']))
            for call in dry_runs))
        self.assertEqual(number, calls.total(), calls)
        self.assertEqual(1, len({call['operation'] for call in dry_runs}))

    def test_value_known_only_later_may_be_denied_during_update(self):
        path = self.create('later', tree(outer=UNKNOWN))
        self.deny_nested('UPDATE')
        self.assertEqual(
            [('group', 'will', 'before_start'), ('outer', 'may', 'during')],
            [(place, stop['certainty'], stop['when'])
             for place, stop in self.preview(path, tree(
                 'two', outer=UNKNOWN, group=group(0, 'x')))
             if stop['type'] == 'LifecyclePluginDenied'])
        self.assertEqual([], self.plugins.journal())

    def test_group_update_by_signal_has_dry_runs_of_members(self):
        path = self.create('signal', copy.deepcopy({
            **templates.SCALING, 'resources': {
                **templates.SCALING['resources'], 'group': {
                    'type': 'OS::Heat::AutoScalingGroup', 'properties': {
                        'min_size': 1, 'max_size': 3,
                        'resource': {'type': 'inner.yaml'}}}}}))
        group_id = self.client.get(path + '/resources/group').json()[
            'resource']['physical_resource_id']
        before = self.list_tree(path)
        self.deny_nested('CREATE')
        self.client.post(path + '/resources/scale_up/signal', {})
        reason = waiting.until(
            'the denial of the signal',
            lambda: self.client.get(f'/stacks/{group_id}').json()[
                'stack']['stack_status_reason'],
            lambda reason: 'denied' in reason)
        self.assertIn('CREATE of nested stack ', reason)
        self.assertEqual([each[:2] for each in before],
                         [each[:2] for each in self.list_tree(path)])

    def test_error_in_dry_run_denies_update(self):
        path = self.create('broken')
        self.order('error_dry', 'test_b', 'UPDATE')
        stack = self.update(path, tree('two'), 'UPDATE_FAILED')
        self.assertIn('Lifecycle plugin test_b failed before UPDATE of nested '
                      'stack group: KeyError', stack['stack_status_reason'])
        self.assertEqual([('UPDATE', 'group')], self.dry_runs())


class UnknownValues(DryRuns):
    """The test plugins cannot read these values on the legacy engine."""

    def test_stack_with_unknown_value_has_no_dry_run_before_start(self):
        path = self.create('hazy', tree(outer=UNKNOWN))
        self.update(path, tree('two', outer=UNKNOWN))
        self.assertEqual([('UPDATE', 'group'), ('UPDATE', 'group/0')],
                         self.dry_runs())
