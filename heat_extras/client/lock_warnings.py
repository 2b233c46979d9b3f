# SPDX-License-Identifier: Apache-2.0

"""Warnings about the effects of locks and freezes.

A lock might not protect, or an unlock not release, resources. Heat reports
success for each signal, although a signal may be ignored.
"""

import collections

from heatclient import exc

from heat_extras.client import error_message
from heat_extras.client import managers
from heat_extras import sanitize

# No warning for these. None is for a nested stack, and for a lock that is
# still in progress.
SILENT = ('protected', 'found_protected', None)

# These resources are only in Heat's own database, so they can only be deleted
# through Heat.
_ONLY_IN_HEAT = ('OS::Heat::', 'AWS::CloudFormation::', 'AWS::AutoScaling::')
_NO_API = 'no_lock_api'

_IGNORED = ('are ignored, except signals to wait conditions and software '
            'deployments')


def unprotected_warning(heat_client, stack_name, identity):
    """Warn about the part of a stack tree that is not protected.

    :param identity: name and ID with a slash between
    :returns: one line, or None if all resources are protected or the server
              does not report it
    """
    try:
        resources = _resources(heat_client, identity)
    except exc.HTTPException as error:
        # Not a failure, because the stack is locked.
        return (f'WARNING: stack {stack_name}: the stack is locked, but the '
                'protection of its resources could not be listed: '
                f'{error_message.describe(error)}')
    free = [each for each in resources
            if each['lock_protection'] not in SILENT]
    if not free:
        return None
    return (f'WARNING: stack {stack_name}: {len(free)} of '
            f'{sanitize.with_plural(len(resources), "resource")} '
            f'{"is" if len(free) == 1 else "are"} not protected: '
            f'{_main_reason(free)}')


def not_released_warning(heat_client, stack_name, identity):
    """Warn about the resources that an unlock has not released.

    :returns: one line, or None if all resources are released
    """
    try:
        guards = managers.GuardManager(heat_client).list(identity, nested=True)
    except exc.BaseException as error:
        return (f'WARNING: stack {stack_name}: the resources that stay '
                'protected could not be listed: '
                f'{error_message.describe(error)}. The events of the stack '
                'list them')
    left = [f'{each["name"]} of stack {each["stack_name"]}'
            for each in guards if each['kind'] == 'protection']
    return left and (
        f'WARNING: stack {stack_name}: '
        f'{sanitize.with_plural(len(left), "resource")} might still be '
        f'protected, because an unlock could not release them: '
        f'{", ".join(left)}') or None


def _resources(heat_client, identity):
    """List the resources for which the server reports protection.

    Leave out resources that exist only in Heat.
    """
    listed = heat_client.resources.list(
        identity, nested_depth=managers.NESTED_DEPTH)
    bodies = [resource.to_dict() for resource in listed]
    return [each for each in bodies if 'lock_protection' in each
            and not _is_only_in_heat(each)]


def _is_only_in_heat(resource):
    kind = resource.get('resource_type') or ''
    return (resource['lock_protection'] == _NO_API
            and kind.startswith(_ONLY_IN_HEAT)
            # A stack of another Heat.
            and kind != 'OS::Heat::Stack')


def _main_reason(resources):
    reasons = collections.Counter(
        each.get('lock_protection_reason') or 'no reason given'
        for each in resources)
    # If several reasons are equally common, always choose the same one.
    reason = min(reasons, key=lambda each: (-reasons[each], each))
    return reason.removeprefix('not protected: ')


def signal_warnings(heat_client, stack_name):
    """List warnings about the lock and the freezes of a stack.

    :param stack_name: name or ID
    """
    try:
        stack = heat_client.stacks.get(stack_name).to_dict()
        if stack.get(managers.LOCK_LEVEL) is not None:
            return [f'{describe_lock(stack)}. Signals to a locked stack '
                    f'{_IGNORED}. To list the ignored signals: openstack '
                    f'stack guard list {stack_name}']
        guards = managers.GuardManager(heat_client).list(
            f'{stack["stack_name"]}/{stack["id"]}', blocking='signal')
    except error_message.FAILURES:
        # The signal itself was sent.
        return []
    return [f'Frozen until {each["expires_at"]} (freeze "{each["name"]}"'
            f'{sanitize.after_colon(each["reason"])}). Signals {_IGNORED}. '
            'Send the signal again after the freeze'
            for each in guards if each['kind'] == 'freeze']


def describe_lock(stack):
    """Return a sentence about the lock of a stack, and how to unlock it.

    :param stack: the body of the stack in the response of Heat
    """
    parts = [f'Locked (level {stack[managers.LOCK_LEVEL]})']
    for word, name in (('by', 'locked_by'), ('since', 'locked_at'),
                       ('until', 'lock_expires_at')):
        if stack.get(name):
            parts.append(f'{word} {stack[name]}')
    reason = f': {stack["lock_reason"]}' if stack.get('lock_reason') else ''
    remedy = ('unlock the root stack' if stack.get('parent')
              else f'openstack stack unlock {stack.get("stack_name")}')
    return f'{" ".join(parts)}{reason}. To unlock the stack: {remedy}'
