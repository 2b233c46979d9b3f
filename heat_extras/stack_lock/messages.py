# SPDX-License-Identifier: Apache-2.0

"""Messages about locks that several modules use.

Pure: does not import Heat.
"""

import collections.abc
import typing

from heat_extras import sanitize

# The status reasons of a lock and an unlock.
LOCKED = 'Stack LOCK completed successfully'
UNLOCKED = 'Stack UNLOCK completed successfully'
BY_OPERATOR = 'Unlocked by a cloud operator with heat-extras-manage'
ENGINE_STOPPED = 'The engine stopped while it was working on the lock'
LOST = ('The result of the lock operation could not be saved because the '
        'database was unavailable. Retry the operation.')

# The maximum number of failed resources that a status reason lists.
_FAILED = 3


def name_and_id(stack: typing.Any) -> str:
    """Return the name and ID of a stack or its row, for a message."""
    return f'{stack.name} ({stack.id})'


def completed(level: str, reason: str | None) -> str:
    """Report that a stack is locked."""
    return f'{LOCKED} (level {level}){sanitize.after_colon(reason)}'


def started(action: str) -> str:
    """Report that an action starts."""
    return f'Stack {action} started'


def with_root(action: str, ended: str, root_name: str) -> str:
    """Report how a nested stack's lock or unlock ended."""
    return f'Stack {action} {ended} with root stack {root_name}'


def not_locked(stack: str) -> str:
    """Reject an unlock of a stack that is not locked."""
    return f'Stack {stack} is not locked.'


def changed(stack: str) -> str:
    """Reject a deletion that lost to another operation."""
    return (f'Stack {stack} was changed in the meantime. Its deletion was not '
            'started. Check the stack, and try again.')


def resources_failed(count: int, total: int, verb: str,
                     reasons: collections.abc.Sequence[str]) -> str:
    """Report the resources that could not be protected or released."""
    return (f'{count} of {sanitize.with_plural(total, "resource")} could not '
            f'be {verb}: ' + sanitize.join_some(reasons, most=_FAILED))


def unlocked_by_others(names: collections.abc.Sequence[str]) -> str:
    """List resources that another user or program had unlocked."""
    return (f'{sanitize.with_plural(len(names), "resource")} had been '
            'unlocked by another user or program: '
            + sanitize.join_some(names, ', ', most=_FAILED))


def operation_name(action: str, root_id: str) -> str:
    """Return the name of a lock or unlock for a message."""
    return f'{action} of stack {root_id}'


def stopped(action: str, root_id: str) -> str:
    """Report that the thread of a lock or unlock was stopped."""
    return f'{action} of stack {root_id} was stopped'


def signal_ignored(level: str | None, reason: str | None) -> str:
    """Describe the first signal that a lock ignores."""
    return (f'Signal ignored: the stack is locked (level {level})'
            + sanitize.after_colon(reason))


def signals_ignored(total: int, counts: str, more: int) -> str:
    """Describe the number of signals that a lock has ignored.

    :param counts: the numbers of the first resources.
    :param more: the number of further resources.
    """
    were = 'was' if total == 1 else 'were'
    return (f'{sanitize.with_plural(total, "signal")} {were} ignored while '
            f'the stack was locked ({counts}'
            + (f', and {sanitize.with_plural(more, "more resource")})' if more
               else ')'))
