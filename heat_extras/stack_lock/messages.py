# SPDX-License-Identifier: Apache-2.0

"""What several modules report about a lock: reasons, events and errors.

Pure: nothing of Heat is imported.
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

# How many failed resources a status reason names.
_FAILED = 3


def name_and_id(stack: typing.Any) -> str:
    """Return how messages name a stack, or the row of one."""
    return f'{stack.name} ({stack.id})'


def completed(level: str, reason: str | None) -> str:
    """Report that a stack is locked."""
    return f'{LOCKED} (level {level}){sanitize.because(reason)}'


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
    return (f'Stack {stack} was changed meanwhile; its '
            'deletion was not begun. Look at it, and try again.')


def failed(count: int, total: int, verb: str,
           named: collections.abc.Sequence[str]) -> str:
    """Report which resources could not be protected or released."""
    return (f'{count} of {sanitize.count(total, "resource")} could not be '
            f'{verb}: ' + sanitize.listing(named, most=_FAILED))


def lifted_by_others(found: collections.abc.Sequence[str]) -> str:
    """List resources that somebody else had unlocked."""
    return (f'{sanitize.count(len(found), "resource")} had been unlocked by '
            'somebody else: '
            + sanitize.listing(found, ', ', most=_FAILED))


def work(action: str, root_id: str) -> str:
    """Name the work of a lock or unlock."""
    return f'{action} of stack {root_id}'


def stopped(action: str, root_id: str) -> str:
    """Report that the thread of a lock or unlock was ended."""
    return f'{action} of stack {root_id} was stopped'


def signal_ignored(level: str | None, reason: str | None) -> str:
    """Describe the first signal that a lock ignores."""
    return (f'Signal ignored: the stack is locked (level {level})'
            + sanitize.because(reason))


def signals_ignored(total: int, named: str, more: int) -> str:
    """Describe how many signals a lock has ignored.

    :param named: those of the first resources.
    :param more: how many resources more there are.
    """
    were = 'was' if total == 1 else 'were'
    return (f'{sanitize.count(total, "signal")} {were} ignored while '
            f'the stack was locked ({named}'
            + (f', and {sanitize.count(more, "more resource")})' if more
               else ')'))
