# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1.views.stacks_view`."""

from heat_extras import patching
from heat_extras.stack_lock import locks

EXTENDS = 'heat.api.openstack.v1.views.stacks_view'

_UNLOCKED = locks.public_fields(locks.UNLOCKED, None)


@patching.value(why='a list of stacks shows the keys that are listed here')
def basic_keys(original):
    # A set, as each key of each stack is looked for here.
    return {*original, *locks.PUBLIC_FIELDS, locks.PRIOR_STACK_STATUS}


@patching.wrap('(req, stacks, count=None, include_project=False)',
               why='the bodies of a list are made in a plain function')
def collection(original, req, stacks, *args, **kwargs):
    return complete(original(req, stacks, *args, **kwargs))


def complete(result):
    """Say of the unlocked stacks in a list that they are.

    :param result: the body of a list. Its first stack carries
        ``lock_level`` if the engine that answered knows of locks.
    """
    bodies = result['stacks']
    if bodies and locks.LEVEL in bodies[0]:
        for body in bodies:
            if body.get(locks.LEVEL) is None:
                body.update(_UNLOCKED)
    return result
