# SPDX-License-Identifier: Apache-2.0

"""Warn if a lock did not protect, or an unlock not release, resources."""

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


def warning(heat_client, stack_name, identity):
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
