# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.policies.actions`: policy rules for locks."""

from heat.policies import base
from oslo_policy import policy

from heat_extras import monkey_patch

EXTENDS = 'heat.policies.actions'
FEATURE = 'stack_lock'

_PATH = '/v1/{tenant_id}/stacks/{stack_name}/{stack_id}/actions'
_OPERATIONS = [{'path': _PATH, 'method': 'POST'}]

_LOCKS = [{'path': '/v1/{tenant_id}/locks', 'method': 'GET'}]

_RULES = [
    policy.DocumentedRuleDefault(
        name=f'actions:{name}', check_str=check_str, scope_types=['project'],
        description=description, operations=_OPERATIONS)
    for name, check_str, description in (
        ('lock', base.PROJECT_MEMBER,
         'Lock a stack and its nested stacks.'),
        ('unlock', base.PROJECT_MEMBER,
         'Unlock a stack and its nested stacks.'),
        ('extend_lock', base.PROJECT_MEMBER,
         'Change or remove the expiration time of the lock of a stack.'),
        ('lock_pass', base.PROJECT_MEMBER,
         'Grant one user a lock pass for one update of a locked stack, or '
         'revoke the lock pass.'),
        ('unlock_override', base.RULE_CONTEXT_IS_ADMIN,
         'Change or remove administrator locks, and delete stacks whose '
         'administrator lock failed. Every lock that is set by a user with '
         'this right is an administrator lock.'),
        ('protect', base.PROJECT_MEMBER,
         'Protect a stack and its nested stacks from deletion.'),
        ('unprotect', base.PROJECT_MEMBER,
         'Remove the protection of a stack from deletion.'),
        ('unprotect_override', base.RULE_CONTEXT_IS_ADMIN,
         'Change or remove the protections from deletion that '
         'administrators set. Every protection that is set by a user with '
         'this right is a protection of an administrator.'))]
_RULES += [
    policy.DocumentedRuleDefault(
        name='locks:index', check_str=base.PROJECT_READER,
        scope_types=['project'], operations=_LOCKS,
        description='List the locks of the stacks of a project.'),
    policy.DocumentedRuleDefault(
        name='locks:global_index', check_str=base.RULE_CONTEXT_IS_ADMIN,
        scope_types=['project'], operations=_LOCKS,
        description='List the locks of the stacks of all projects.'),
]


def list_rules():
    """List the rules for the oslo.policy tools and for Heat's enforcer."""
    return _RULES


@monkey_patch.value(
    why='the services read only heat.policies. The entry point '
        'oslo.policy.policies is for the oslopolicy tools')
def actions_policies(original):
    return [*original, *_RULES]
