# SPDX-License-Identifier: Apache-2.0

"""The sentences about ids of locks that users read.

Pure: nothing of Heat is imported.
"""

import collections.abc

from heat_extras import sanitize

_NOTHING = 'Nothing was changed.'


def no_id(quoted: str, action: str) -> str:
    """Refuse what is no id of a lock.

    :param action: ``lock`` or ``unlock``.
    """
    free = (', or null for a stack that is not locked' if action == 'lock'
            else '')
    return (f'Invalid id in {action}: found {quoted}, wanted the id of a lock '
            f'(lock_id of its stack), a UUID{free}.')


def no_condition(quoted: str) -> str:
    """Refuse what no API of ours sends."""
    return f'Invalid condition: found {quoted}, wanted an object with an id.'


def lacking() -> str:
    """Refuse the body of an unlock without an id."""
    return ('Invalid body of unlock: found no id, wanted null or '
            '{"id": "UUID of the lock"}, or ignore_failures.')


def not_in_force(wanted: str, stack: str, found: str) -> str:
    """Refuse a request for a lock that another one has taken the place of.

    :param found: see :func:`in_force`.
    """
    return (f'Lock {wanted} is not in force on stack {stack}: {found} is. '
            f'{_NOTHING} Look who has set that one, and why; if it is meant, '
            'name it by its id.')


def over(wanted: str, stack: str, name: str) -> str:
    """Refuse a request for a lock that has been lifted.

    :param name: of the root stack.
    """
    return (f'Lock {wanted} is not in force on stack {stack}, which is not '
            f'locked. {_NOTHING} If it is to be locked: openstack stack lock '
            f'{name}.')


def not_free(stack: str, found: str) -> str:
    """Refuse to lock only what is not locked.

    :param found: see :func:`in_force`.
    """
    return (f'Stack {stack} is locked: {found} is in force. {_NOTHING} To '
            'change that lock, name it by its id; or wait until it is lifted.')


def in_force(found: str | None, level: str | None, since: str | None) -> str:
    """Name the lock that holds a stack."""
    return f'lock {found} (level {level}, since {since})'


def unknown_query(unknown: collections.abc.Iterable[str],
                  wanted: collections.abc.Iterable[str]) -> str:
    """Refuse words of a query that there are not."""
    return (f'Invalid query: found {", ".join(map(sanitize.quote, unknown))}, '
            f'wanted any of {", ".join(wanted)}.')


def no_limit(found: str, most: int) -> str:
    """Refuse a number of locks."""
    return (f'Invalid limit: found {sanitize.quote(found)}, wanted a number '
            f'from 1 to {most}.')


def no_marker(found: str) -> str:
    """Refuse what is no id of a lock."""
    return (f'Invalid marker: found {sanitize.quote(found)}, wanted the id of '
            'the last lock of the page before, a UUID.')


def no_level(found: str, levels: collections.abc.Iterable[str]) -> str:
    """Refuse a level that there is not."""
    return (f'Invalid level: found {sanitize.quote(found)}, wanted one of '
            f'{", ".join(levels)}.')


def no_all_projects(found: str) -> str:
    """Refuse what is neither true nor false."""
    return (f'Invalid all_projects: found {sanitize.quote(found)}, wanted '
            'true or false.')
