# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.policies.actions`: who may lock and unlock."""

from heat.policies import base
from oslo_policy import policy

from heat_extras import patching

EXTENDS = 'heat.policies.actions'

_PATH = '/v1/{tenant_id}/stacks/{stack_name}/{stack_id}/actions'
_OPERATIONS = [{'path': _PATH, 'method': 'POST'}]

_OF_PROTECTION = [
    policy.DocumentedRuleDefault(
        name='actions:protect',
        check_str=base.PROJECT_MEMBER,
        scope_types=['project'],
        description='Protect a stack and its nested stacks from deletion.',
        operations=_OPERATIONS),
    policy.DocumentedRuleDefault(
        name='actions:unprotect',
        check_str=base.PROJECT_MEMBER,
        scope_types=['project'],
        description='Lift the protection of a stack from deletion.',
        operations=_OPERATIONS),
    policy.DocumentedRuleDefault(
        name='actions:unprotect_override',
        check_str=base.PROJECT_ADMIN,
        scope_types=['project'],
        description='Lift or change a protection from deletion of rank '
                    'admin. Whoever passes this rule sets such ones.',
        operations=_OPERATIONS),
]

_RULES = [
    policy.DocumentedRuleDefault(
        name='actions:lock',
        check_str=base.PROJECT_MEMBER,
        scope_types=['project'],
        description='Lock a stack and its nested stacks.',
        operations=_OPERATIONS),
    policy.DocumentedRuleDefault(
        name='actions:unlock',
        check_str=base.PROJECT_MEMBER,
        scope_types=['project'],
        description='Lift the lock of a stack.',
        operations=_OPERATIONS),
    policy.DocumentedRuleDefault(
        name='actions:unlock_override',
        check_str=base.PROJECT_ADMIN,
        scope_types=['project'],
        description='Set locks of rank admin; lift or change them, or '
                    'delete a stack whose lock of rank admin failed. '
                    'Whoever passes this rule sets locks of rank admin.',
        operations=_OPERATIONS),
    *_OF_PROTECTION,
]


def list_rules():
    """List the rules for the oslo.policy tools and for Heat's enforcer."""
    return _RULES


@patching.value(why='the daemons read heat.policies alone; the entry point '
                    'oslo.policy.policies is for the oslopolicy tools')
def actions_policies(original):
    return [*original, *_RULES]
