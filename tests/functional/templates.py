# SPDX-License-Identifier: Apache-2.0

"""Templates of the functional tests, and their files."""

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

FILES = {'member.yaml': """
heat_template_version: 2018-08-31
resources:
  text: {type: OS::Heat::RandomString}
"""}

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

# As large as it may be, so that scaling changes nothing.
FULL_GROUP = {
    'heat_template_version': '2018-08-31',
    'resources': {
        'group': {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
            'min_size': 1, 'max_size': 1,
            'resource': {'type': 'OS::Heat::RandomString'}}},
        'policy': {'type': 'OS::Heat::ScalingPolicy', 'properties': {
            'adjustment_type': 'change_in_capacity',
            'auto_scaling_group_id': {'get_resource': 'group'},
            'scaling_adjustment': 1}},
        'handle': {'type': 'OS::Heat::WaitConditionHandle'},
    },
}
