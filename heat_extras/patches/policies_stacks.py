# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.policies.stacks`: the policy rule to list guards."""

from heat.policies import base
from oslo_policy import policy

from heat_extras import monkey_patch

EXTENDS = 'heat.policies.stacks'
FEATURE = 'guards'

_RULES = [
    policy.DocumentedRuleDefault(
        name='stacks:guards',
        check_str=base.PROJECT_READER,
        scope_types=['project'],
        description='List the guards of a stack, and the actions that they '
                    'stop.',
        operations=[{
            'path': '/v1/{tenant_id}/stacks/{stack_name}/{stack_id}/guards',
            'method': 'GET'}]),
]


def list_rules():
    """List the rules for the oslo.policy tools."""
    return _RULES


@monkey_patch.value(
    why='the services read only heat.policies. The entry point '
        'oslo.policy.policies is for the oslopolicy tools')
def stacks_policies(original):
    return [*original, *_RULES]
