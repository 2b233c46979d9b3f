# SPDX-License-Identifier: Apache-2.0

"""The sentences about the ends of locks that users read.

Pure: nothing of Heat is imported.
"""

# What begins the refusal while an engine would not lift such a lock.
NO_END = 'Locks cannot expire'

# What begins the refusal in a state of the lock, before "of stack ...".
EXTENDING = 'Changing the expiration of the lock'

# Why nobody asked for an unlock.
HAS_COME = 'The lock has expired'

_NOTHING = 'Nothing was changed.'


def changed(until: str | None) -> str:
    """Say when a lock expires since its expiration was changed."""
    return ('The lock does not expire any more' if until is None
            else f'The lock expires at {until} now')


def lacking() -> str:
    """Refuse the body of an extension without a time."""
    return ('Invalid body of extend_lock: expires_at is missing. It must be '
            'a time, for example {"expires_at": "2026-12-24T18:00:00Z"}, or '
            'null to remove the expiration.')


def past(found: str | None, now: str | None) -> str:
    """Refuse a time in the past."""
    return (f'Invalid expires_at: {found} is in the past. It is {now} by the '
            'clock of the database.')


def too_far(found: str | None, days: int, latest: str | None) -> str:
    """Refuse a time that is too far ahead.

    :param days: of the option.
    """
    return (f'Invalid expires_at: {found} is more than {days} days ahead '
            f'([heat_extras] lock_max_days). The latest time is {latest}.')


def end_of_admins(stack: str) -> str:
    """Refuse an expiration where Heat's credentials are not enough."""
    return (f'An administrator lock of level all cannot expire (stack '
            f'{stack}): Heat would release what it protects with the '
            "credentials of the stack's user, who is not allowed to. "
            f'{_NOTHING} Leave out expires_at, or lock with level stacks.')


def end_without_credentials(stack: str) -> str:
    """Refuse an expiration where Heat keeps no credentials."""
    return (f'A lock of level all cannot expire on stack {stack}: Heat keeps '
            'no credentials of that stack to release its resources with. '
            f'{_NOTHING} Leave out expires_at, or lock with level stacks.')
