# SPDX-License-Identifier: Apache-2.0

"""The sentences about the ends of locks that users read.

Pure: nothing of Heat is imported.
"""

# What begins the refusal while an engine would not lift such a lock.
NO_END = 'No lock can have an end'

# What begins the refusal in a state of the lock, before "of stack ...".
EXTENDING = 'Changing the end of the lock'

# Why nobody asked for an unlock.
HAS_COME = 'The end of the lock has come'

_NOTHING = 'Nothing was changed.'


def changed(until: str | None) -> str:
    """Tell that a lock has another end."""
    return ('The lock has no end any more' if until is None
            else f'The lock ends at {until} now')


def lacking() -> str:
    """Refuse the body of an extension without an end."""
    return ('Invalid body of extend_lock: found no expires_at, wanted '
            '{"expires_at": "2026-12-24T18:00:00Z"}, or null for no end.')


def no_id(stack: str) -> str:
    """Refuse another end, or a pass, for a lock that has no id yet."""
    return (f'The lock of stack {stack} was set by an engine of an older '
            f'release and has no id yet. {_NOTHING} It gets one within a '
            'minute: try again then, or lock the stack again.')


def past(found: str | None, now: str | None) -> str:
    """Refuse an end that has come already."""
    return (f'Invalid expires_at: found {found}, wanted a moment that is '
            f'still to come: it is {now} by the clock of the database.')


def too_far(found: str | None, days: int, latest: str | None) -> str:
    """Refuse an end that is too far ahead.

    :param days: of the option.
    """
    return (f'Invalid expires_at: found {found}, wanted at most {latest}: '
            f'{days} days ahead ([heat_extras] lock_max_days).')


def end_of_admins(stack: str) -> str:
    """Refuse an end where Heat's credentials are not enough."""
    return (f'A lock of level all and of rank admin has no end (stack '
            f'{stack}): Heat would release what it protects with the '
            "credentials of the stack's user, who may not. "
            f'{_NOTHING} Leave expires_at out, or lock with level stacks.')


def end_without_credentials(stack: str) -> str:
    """Refuse an end where Heat keeps no credentials."""
    return (f'A lock of level all of stack {stack} can have no end: Heat '
            'keeps no credentials of that stack, with which it would release '
            f'what is protected. {_NOTHING} Leave expires_at out, or lock '
            'with level stacks.')
