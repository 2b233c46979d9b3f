# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Marks on nested stacks, remote stacks and members of groups."""

import json
import time

from tests.functional import health_base

VERSION = {'heat_template_version': '2018-08-31'}
TEXT = {'type': 'OS::Heat::RandomString'}
FILES = {'member.yaml': json.dumps({
    **VERSION,
    'parameters': {'length': {'type': 'number', 'default': 8}},
    'resources': {'text': {**TEXT, 'properties': {
        'length': {'get_param': 'length'}}}}})}


def scaling(**properties):
    return {**VERSION, 'parameters': {
        'length': {'type': 'number', 'default': 8}}, 'resources': {
            'group': {
                'type': 'OS::Heat::AutoScalingGroup',
                'update_policy': {'rolling_updates': {'max_batch_size': 1}}
                if properties.pop('rolling', False) else {},
                'properties': {
                    'min_size': 1, 'max_size': 5,
                    'resource': {'type': 'OS::Heat::RandomString',
                                 'properties': {
                                     'length': {'get_param': 'length'}}},
                    **properties}},
            'shrink': {
                'type': 'OS::Heat::ScalingPolicy',
                'properties': {
                    'adjustment_type': 'change_in_capacity',
                    'auto_scaling_group_id': {'get_resource': 'group'},
                    'scaling_adjustment': -1}},
            'grow': {
                'type': 'OS::Heat::ScalingPolicy',
                'properties': {
                    'adjustment_type': 'change_in_capacity',
                    'auto_scaling_group_id': {'get_resource': 'group'},
                    'scaling_adjustment': 2}}}}


class ScalingGroupTest(health_base.HealthTestCase):
    template = scaling()

    def setUp(self):
        super().setUp()
        self.group = self.nested('group')

    def _signal(self, policy, size):
        self.assert_status(200, self.client.post(
            f'{self.path}/resources/{policy}/signal', {}))
        for _ in range(100):
            members = self.resources(self.group)
            if len(members) == size and not self._is_scaling(policy):
                break
            time.sleep(0.2)
        self.assertEqual(size, len(members))
        return members

    def _is_scaling(self, *names):
        # Signals that come meanwhile are dropped.
        return any(self.client.get(
            f'{self.path}/resources/{name}/metadata').json()['metadata'].get(
                'scaling_in_progress') for name in ('group', *names))

    def test_a_member_is_replaced_under_its_own_name(self):
        before = self._signal('grow', 3)
        name = sorted(before)[0]
        self.assert_status(200, self.mark(name, path=self.group))
        self.update()
        after = self.resources(self.group)
        self.assertEqual({name}, {each for each in before
                                  if before[each] != after.get(each)})
        self.assertEqual(set(before), set(after))

    def test_it_is_the_first_to_go_and_the_only_one(self):
        before = self._signal('grow', 3)
        name = sorted(before)[-1]
        self.assert_status(200, self.mark(name, path=self.group))
        after = self._signal('shrink', 2)
        self.assertEqual(set(before) - {name}, set(after))
