# SPDX-License-Identifier: Apache-2.0

"""Tests of marks on nested stacks, remote stacks and group members."""

import json
import os

from tests.functional import base
from tests.functional import health_base
from tests.harness import waiting

VERSION = {'heat_template_version': '2018-08-31'}
TEXT = {'type': 'OS::Heat::RandomString'}
INNER = {**VERSION, 'resources': {'text': TEXT}}


def policy(adjustment):
    return {'type': 'OS::Heat::ScalingPolicy', 'properties': {
        'adjustment_type': 'change_in_capacity',
        'auto_scaling_group_id': {'get_resource': 'group'},
        'scaling_adjustment': adjustment}}


SCALING = {**VERSION, 'resources': {
    'group': {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
        'min_size': 1, 'max_size': 5, 'resource': TEXT}},
    'shrink': policy(-1),
    'grow': policy(2)}}

PLUGINS = os.path.join(os.path.dirname(__file__), 'resource_plugins')
PARAMETERS = {'key': {'type': 'string'}, 'size': {'type': 'number'}}
SIZE = {'get_param': 'size'}
CONFIGURED = {'get_resource': 'configuration'}


KEY = {'get_param': 'key'}
GROUPS = {
    'heat': {
        'type': 'OS::Heat::AutoScalingGroup',
        'properties': {
            'min_size': 1, 'max_size': 5, 'desired_capacity': SIZE,
            'rolling_updates': {'max_batch_size': 1},
            'resource': {'type': 'Test::Member',
                         'properties': {'KeyName': KEY}}}},
    'amazon': {
        'type': 'AWS::AutoScaling::AutoScalingGroup',
        'properties': {
            'AvailabilityZones': ['one'], 'MinSize': 1, 'MaxSize': 5,
            'DesiredCapacity': SIZE, 'LaunchConfigurationName': CONFIGURED},
        'update_policy': {'AutoScalingRollingUpdate': {'MaxBatchSize': 1}}},
    'instances': {
        'type': 'OS::Heat::InstanceGroup',
        'properties': {
            'AvailabilityZones': ['one'], 'Size': SIZE,
            'LaunchConfigurationName': CONFIGURED},
        'update_policy': {'RollingUpdate': {'MaxBatchSize': 1}}},
}


class ScalingGroupTest(health_base.HealthTestCase):
    template = SCALING

    def setUp(self):
        super().setUp()
        self.group = self.nested('group')

    def _signal(self, policy, size):
        self.assert_status(200, self.client.post(
            f'{self.path}/resources/{policy}/signal', {}))
        return waiting.until(
            f'{size} members', lambda: self.resources(self.group),
            lambda members: len(members) == size
            and not self._is_scaling(policy))

    def _is_scaling(self, *names):
        # Heat drops signals during scaling.
        return any(self.client.get(
            f'{self.path}/resources/{name}/metadata').json()['metadata'].get(
                'scaling_in_progress') for name in ('group', *names))

    def test_marked_member_is_replaced_under_same_name(self):
        before = self._signal('grow', 3)
        name = sorted(before)[0]
        self.assert_status(200, self.mark(name, path=self.group))
        self.update()
        after = self.resources(self.group)
        self.assertEqual({name}, {each for each in before
                                  if before[each] != after.get(each)})
        self.assertEqual(set(before), set(after))

    def test_scale_down_removes_only_marked_member(self):
        before = self._signal('grow', 3)
        name = sorted(before)[-1]
        self.assert_status(200, self.mark(name, path=self.group))
        after = self._signal('shrink', 2)
        self.assertEqual(set(before) - {name}, set(after))


class NestedStackTest(health_base.HealthTestCase):
    template = {**VERSION, 'resources': {
        'part': {'type': 'part.yaml'},
        'remote': {'type': 'OS::Heat::Stack',
                   'properties': {'template': json.dumps(INNER)}},
        'group': {'type': 'OS::Heat::ResourceGroup', 'properties': {
            'count': 3, 'resource_def': TEXT}}}}
    files = {'part.yaml': json.dumps(INNER)}

    def test_marked_stacks_and_members_are_replaced(self):
        part, group = self.nested('part'), self.nested('group')
        before, members = self.resources(self.path), self.resources(group)
        # After a stack check Heat takes the mark of the nested stack for
        # the verdict of the check, and leaves the nested stack alone.
        self.assert_status(200, self.mark('text', path=part))
        self.act('check', 'CHECK_FAILED')
        self.assertEqual('CHECK_FAILED', self.state('part'))
        for name in ('part', 'remote'):
            self.assert_status(200, self.mark(name))
        self.assert_status(200, self.mark('1', path=group))
        self.update()
        after = self.resources(self.path)
        self.assertNotEqual(before['part'], after['part'])
        self.assertNotEqual(before['remote'], after['remote'])
        self.assertEqual(before['group'], after['group'])
        self.assertEqual(
            {'1'}, {name for name, resource in self.resources(group).items()
                    if resource != members[name]})


class RemovalOrderTest(health_base.HealthTestCase):
    """The newest member is marked, because Heat prefers the oldest."""

    settings = f'[DEFAULT]\nplugin_dirs = {PLUGINS}\n'
    parameters = {'key': 'one', 'size': 3}
    template = {**VERSION, 'parameters': PARAMETERS, 'resources': {
        'configuration': {'type': 'Test::Configuration',
                          'properties': {'KeyName': KEY}},
        **GROUPS}}

    def test_marked_members_are_updated_and_removed_first(self):
        paths = {name: self.nested(name) for name in GROUPS}
        before, marked = self._mark_youngest(paths)
        self.update(parameters={'key': 'two', 'size': 3})
        for name, path in paths.items():
            after, youngest = self.resources(path), marked[name]
            self.assertEqual(set(before[name]), set(after))
            self.assertNotEqual(before[name][youngest], after[youngest])
            self.assertEqual(youngest, self._first_touched(path), name)

        before, marked = self._mark_youngest(paths)
        self.update(parameters={'key': 'two', 'size': 2})
        for name, path in paths.items():
            self.assertEqual(set(before[name]) - {marked[name]},
                             set(self.resources(path)), name)

    def _mark_youngest(self, paths):
        marked = {}
        for group, path in paths.items():
            answer = self.client.get(path + '/resources').json()
            marked[group] = max(answer['resources'], key=lambda each: (
                each['creation_time'], each['resource_name']))[
                    'resource_name']
            self.assert_status(200, self.mark(marked[group], path=path))
        return {name: self.resources(path)
                for name, path in paths.items()}, marked

    def _first_touched(self, path):
        events = self.client.get(
            path + '/events?sort_dir=asc').json()['events']
        names = [(event['resource_name'], event['resource_status'])
                 for event in events]
        start = names.index((path.split('/')[2], 'UPDATE_IN_PROGRESS'))
        return names[start + 1][0]


class LegacyNestedStackTest(NestedStackTest):
    settings = base.LEGACY
