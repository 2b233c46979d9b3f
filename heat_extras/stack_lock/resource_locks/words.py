# SPDX-License-Identifier: Apache-2.0

"""What people read of the protection of a resource, and why there is none.

Pure: nothing of Heat is imported.
"""

from heat_extras import sanitize

GONE = 'the physical resource is gone'
LIFTED = 'was lifted by somebody else meanwhile'
TAKEN = 'is protected by somebody else by now'
NEVER = 'was not protected'
BLIND = 'as noted: its plugin cannot be asked'
DOUBTFUL = 'was being released, which did not come to its end'

# After the death of an engine.
STOPPED = 'the engine stopped over it'
NOT_REACHED = ('the engine stopped over it, and it was not protected when '
               'another engine looked')

# Of an error that must not be shown: what was wanted.
REQUEST, LOOK = 'the request to its service', 'the look for its lock'

# What a service says of a resource.
IMAGE = 'the image is protected'
IMMUTABLE = 'it is immutable'
NO_REMOTE_LOCKS = 'the remote Heat knows no stack locks'


def no_rights(said: str, is_stored: bool) -> str:
    """Tell that it takes other rights to protect or release a resource.

    :param is_stored: whether the credentials are those that Heat keeps.
    """
    who = ('the credentials that Heat keeps for the stack lack (its user, '
           'role or trust may be gone)' if is_stored else 'you lack')
    return f'needs rights that {who}: {said}'


def no_lock_api(kind: str) -> str:
    """Tell that there is no way to protect resources of a type."""
    return f'{kind} has no lock API'


def not_tried(others: int) -> str:
    """Tell that too many resources had got no answer."""
    return (f'not tried: {sanitize.count(others, "resource")} before it got '
            'no answer')


def no_answer(seconds: float) -> str:
    """Tell that a service did not answer in time."""
    return f'no answer within {seconds} seconds'


def not_complete(seconds: float) -> str:
    """Tell that a service did not come to an end in time."""
    return f'not complete within {seconds} seconds'


def failed(name: str, stack_name: str, reason: str) -> str:
    """Name a resource that could not be protected or released."""
    return f'{name} of stack {stack_name}: {reason}'


def few_events(failed: int, resources: int) -> str:
    """Count the resources of a stack that has too many for events."""
    return (f'{failed} of {resources} resources failed. Only failures have '
            'events in a stack with so many resources')


def withdrawn(root_id: str, operation_id: str) -> str:
    """Tell an engine that its lock or unlock is not in force any more."""
    return (f'the lock operation in progress on stack {root_id} is no '
            f'longer {operation_id}, which this engine has begun: it '
            'was reset, or this engine was taken for dead')


def reason_for(stack_name: str) -> str:
    """Tell a service for which stack a resource is protected."""
    return f'locked with Heat stack {stack_name}'


def nova_shows_none(version: str) -> str:
    """Tell that Nova is too old."""
    return f'this Nova does not show locks before {version}'


def server(user_id: str | None, reason: str | None) -> str:
    """Tell who has locked a server."""
    by = f' by user {user_id}' if user_id is not None else ''
    return f'the server is locked{by}' + sanitize.because(reason)


def server_just_now(user_id: str) -> str:
    """Tell who has locked a server at the same moment."""
    return f'the server was just locked by user {user_id}'


def manila_has_none(found: str, wanted: str) -> str:
    """Tell that Manila is too old."""
    return ('this Manila has no resource locks: found API '
            f'{found}, wanted {wanted}')


def share(lock_id: str, user_id: str, reason: str | None) -> str:
    """Tell who has locked a share."""
    return (f'the share has lock {lock_id} of user {user_id}'
            + sanitize.because(reason))


def remote_stack(who: str | None, reason: str | None) -> str:
    """Tell who has locked a remote stack."""
    return ('the remote stack is locked by '
            f'{who or "a user of another project"}' + sanitize.because(reason))


def remote_answer(error: object) -> str:
    """Tell what a Heat without locks said."""
    return f'the remote Heat answered: {error}'
