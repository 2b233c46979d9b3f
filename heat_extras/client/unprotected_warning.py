# SPDX-License-Identifier: Apache-2.0

"""Warn if a lock of level all did not protect every resource."""

import collections

from heatclient import exc

from heat_extras.client import error_message
from heat_extras import sanitize

# None says nothing: a nested stack, or a lock that is still in progress.
SILENT = ('protected', 'found_protected', None)
NESTED_DEPTH = 5

# Of what lives in Heat's own database, nothing could be deleted past Heat.
_IN_HEAT_ALONE = ('OS::Heat::', 'AWS::CloudFormation::',
                  'AWS::AutoScaling::')
_NO_API = 'no_lock_api'


def warning(heat_client, stack_name, identity):
    """Warn about the part of a stack tree that is not protected.

    :param identity: name and ID with a slash between
    :returns: one line, or None if all is protected or the server does not
              report it
    """
    try:
        resources = _resources(heat_client, identity)
    except exc.HTTPException as error:
        # The lock itself is there, so this is no failure.
        return (f'WARNING: stack {stack_name}: the protection of resources '
                f'could not be listed: {error_message.describe(error)}')
    free = [each for each in resources
            if each['lock_protection'] not in SILENT]
    if not free:
        return None
    return (f'WARNING: stack {stack_name}: {len(free)} of '
            f'{sanitize.count(len(resources), "resource")} '
            f'{"is" if len(free) == 1 else "are"} not protected: '
            f'{_main_reason(free)}')


def _resources(heat_client, identity):
    """List the resources for which the server knows of protection.

    Without those that stand for nothing in another service.
    """
    listed = heat_client.resources.list(identity, nested_depth=NESTED_DEPTH)
    told = [resource.to_dict() for resource in listed]
    return [each for each in told if 'lock_protection' in each
            and not _is_in_heat_alone(each)]


def _is_in_heat_alone(resource):
    kind = resource.get('resource_type') or ''
    return (resource['lock_protection'] == _NO_API
            and kind.startswith(_IN_HEAT_ALONE)
            # One of another Heat.
            and kind != 'OS::Heat::Stack')


def _main_reason(resources):
    reasons = collections.Counter(
        each.get('lock_protection_reason') or 'no reason given'
        for each in resources)
    # Of reasons that are as common, always the same one.
    reason = min(reasons, key=lambda each: (-reasons[each], each))
    return reason.removeprefix('not protected: ')
