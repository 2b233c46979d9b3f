# SPDX-License-Identifier: Apache-2.0

"""What people read when a resource is, or is not, marked as unhealthy.

Where Heat itself refuses a body, its own words are kept.
Pure: nothing of Heat is imported.
"""

import collections.abc

MARK, REASON, FORCE = 'mark_unhealthy', 'resource_status_reason', 'force'


def no_object(found: object) -> str:
    """Refuse a body that is no object."""
    return (f'Invalid body of mark unhealthy: found {_kind(found)}, wanted '
            f'an object with {MARK} and, if you like, {REASON}.')


def unknown_keys(keys: collections.abc.Iterable[str]) -> str:
    """Refuse a body with keys that there are not."""
    return ('Invalid keys in resource mark unhealthy: '
            f'{", ".join(map(repr, keys))}; wanted {MARK} and, if you '
            f'like, {REASON}.')


def no_mark() -> str:
    """Refuse a body that does not say whether to mark."""
    return (f'Missing mandatory ({MARK}) key from mark '
            'unhealthy request; wanted true or false.')


def no_boolean(mark: object) -> str:
    """Refuse a mark that is neither true nor false."""
    return (f'Unrecognized value "{mark}" for "{MARK}", acceptable values '
            f'are: true, false; found {_kind(mark)}.')


def no_string(reason: object) -> str:
    """Refuse a reason that is no string."""
    return (f'Invalid {REASON}: found {_kind(reason)}, wanted '
            'a string.')


def too_long(length: int, most: int) -> str:
    """Refuse a reason with too many characters."""
    return (f'Invalid {REASON}: it has {length} characters, at most '
            f'{most} are allowed.')


def no_force(values: collections.abc.Iterable[str]) -> str:
    """Refuse values of ``?force=``."""
    return (f'Invalid {FORCE}: found {", ".join(values)!r}, '
            'wanted true or false, once.')


def never_created(name: str, stack_name: str) -> str:
    """Refuse to mark a resource that there never was."""
    return _not_there(name, stack_name, 'was never created')


def not_there(name: str, stack_name: str, action: str, status: str) -> str:
    """Refuse to mark a resource that is there no more."""
    return _not_there(name, stack_name, f'is {action}_{status}')


def _not_there(name: str, stack_name: str, found: str) -> str:
    return (f'Resource {name} of stack {stack_name} {found}: '
            'only a resource that exists can be marked as healthy or '
            'unhealthy. The next update of the stack creates what is '
            'missing.')


def too_many(stack_name: str, unhealthy: int, total: int,
             percent: int) -> str:
    """Refuse a mark above the limit, and tell what to do."""
    return (f'Stack {stack_name} has {unhealthy} unhealthy resources of '
            f'{total}; one more is above max_unhealthy_percent = {percent} '
            'of this Heat. Update the stack to replace them first, or '
            'repeat the request with ?force=true.')


def external(name: str) -> str:
    """Warn that Heat did not make a resource."""
    return (f'Resource {name} has an external_id: Heat did not '
            'create it and will never replace it.')


def restricted(name: str, stack_name: str) -> str:
    """Warn that an environment forbids to replace a resource."""
    return (f'The environment of stack {stack_name} forbids to replace '
            f'{name} (restricted_actions): every update will fail '
            'until the environment allows it or the mark is reset.')


def marked(reason: str) -> str:
    """Tell a check of the stack what is wrong with a resource."""
    return f'marked unhealthy: {reason}'


def how_to_lift(name: str, stack_name: str) -> str:
    """Name the ways to remove a mark."""
    return ('update the stack to replace it, or '
            + how_to_reset(name, stack_name))


def how_to_reset(name: str, stack_name: str) -> str:
    """Name the way that remains if the resource cannot be replaced."""
    return ('openstack stack resource mark unhealthy --reset '
            f'{stack_name} {name}')


def _kind(found: object) -> str:
    """Name the type of a value as JSON does."""
    if found is None:
        return 'null'
    names = {bool: 'a boolean', int: 'a number', float: 'a number',
             str: 'a string', list: 'a list', dict: 'an object'}
    return names.get(type(found), type(found).__name__)
