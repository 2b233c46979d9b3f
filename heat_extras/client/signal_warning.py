# SPDX-License-Identifier: Apache-2.0

"""Warn that a signal may be ignored, because Heat reports success for each."""

from heat_extras.client import managers
from heat_extras.client import stack_action
from heat_extras import sanitize

_IGNORED = ('are ignored, except signals to wait conditions and software '
            'deployments')


def warnings(heat_client, stack_name):
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
    except stack_action.FAILURES:
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
