# SPDX-License-Identifier: Apache-2.0

"""The tree of stacks of the stress tests."""

import json

MEMBER = """
heat_template_version: 2018-08-31
parameters:
  value: {type: string, default: one}
resources:
  text: {type: OS::Heat::RandomString}
  test:
    type: OS::Heat::TestResource
    properties: {value: {get_param: value}}
"""

FILES = {'member.yaml': MEMBER}

_GROUP = {
    'type': 'OS::Heat::AutoScalingGroup',
    'properties': {'min_size': 1, 'max_size': 3,
                   'resource': {'type': 'member.yaml'}},
}


def _policy(change):
    return {
        'type': 'OS::Heat::ScalingPolicy',
        'properties': {
            'adjustment_type': 'change_in_capacity',
            'auto_scaling_group_id': {'get_resource': 'group'},
            'scaling_adjustment': change},
    }


TREE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {
        'text': {'type': 'OS::Heat::RandomString'},
        'test': {'type': 'OS::Heat::TestResource',
                 'properties': {'value': {'get_param': 'value'}}},
        'inner': {'type': 'member.yaml',
                  'properties': {'value': {'get_param': 'value'}}},
        'group': _GROUP,
        'scale_up': _policy(1),
        'scale_down': _policy(-1),
    },
}

# The resource that level "all" protects through Heat's API.
_REMOTE = {
    'type': 'OS::Heat::Stack',
    'properties': {'template': json.dumps({
        'heat_template_version': '2018-08-31',
        'resources': {'text': {'type': 'OS::Heat::RandomString'}}})},
}

PROTECTED_TREE = {
    **TREE, 'resources': {**TREE['resources'], 'remote': _REMOTE}}

# Updates of the resource wait until a request clears the hook.
HOOKS = {'resource_registry': {'resources': {
    'test': {'hooks': 'pre-update'}}}}
