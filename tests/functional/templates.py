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

"""Templates of the functional tests, and the files that they refer to."""

_VALUE = {'value': {'type': 'string', 'default': 'one'}}

SMALL = {
    'heat_template_version': '2018-08-31',
    'parameters': _VALUE,
    'resources': {
        'text': {'type': 'OS::Heat::RandomString'},
        'test': {'type': 'OS::Heat::TestResource',
                 'properties': {'value': {'get_param': 'value'}}},
    },
    'outputs': {'text': {'value': {'get_attr': ['text', 'value']}}},
}

SLOW = {
    'heat_template_version': '2018-08-31',
    'resources': {'test': {'type': 'OS::Heat::TestResource',
                           'properties': {'wait_secs': 5}}},
}

FILES = {'member.yaml': '''
heat_template_version: 2018-08-31
resources:
  text: {type: OS::Heat::RandomString}
'''}

SCALING = {
    'heat_template_version': '2018-08-31',
    'parameters': _VALUE,
    'resources': {
        'group': {
            'type': 'OS::Heat::AutoScalingGroup',
            'properties': {'min_size': 1, 'max_size': 3,
                           'resource': {'type': 'member.yaml'}}},
        'scale_up': {
            'type': 'OS::Heat::ScalingPolicy',
            'properties': {
                'adjustment_type': 'change_in_capacity',
                'auto_scaling_group_id': {'get_resource': 'group'},
                'scaling_adjustment': 1}},
        'handle': {'type': 'OS::Heat::WaitConditionHandle'},
        'test': {'type': 'OS::Heat::TestResource',
                 'properties': {'value': {'get_param': 'value'}}},
    },
}
