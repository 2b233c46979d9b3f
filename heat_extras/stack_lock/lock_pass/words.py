# SPDX-License-Identifier: Apache-2.0

"""The sentences about passes through locks that users read.

Pure: nothing of Heat is imported.
"""

from heat_extras import sanitize

# What begins the refusal while an engine would not honour it.
NO_PASS = 'No pass through a lock can be granted'

# What begins the refusal in a state of the lock, before "of stack ...".
GRANTING = 'Granting a pass through the lock'
REVOKING = 'Revoking the pass through the lock'

# Events of the root.
REVOKED = 'The pass through the lock was revoked'
EXPIRED = 'The end of the pass through the lock has come: nobody used it'
OVER = 'The update with the pass is over: the lock holds again'

_NOTHING = 'Nothing was changed.'
_USER = '{"id": "..."} or {"name": "...", "domain": "..."}'


def user(id: str | None, name: str | None, domain: str | None) -> str:
    """Name the user of a pass."""
    return (f'the user with the id {id}' if name is None
            else f'user {name} of domain {domain}')


def granted(who: str | None, until: str | None, reason: str | None) -> str:
    """Tell that there is a pass.

    :param who: for whom; None: another project has granted it.
    """
    return (f'A pass through the lock was granted {_by_or_to(who)}, for '
            f'one update until {until}{sanitize.because(reason)}')


def used(who: str | None) -> str:
    """Tell that it is used.

    :param who: by whom; None: another project has granted it.
    """
    return 'The pass through the lock is used' + (
        '' if who is None else f' by {who}')


def _by_or_to(who: str | None) -> str:
    # The user can be one of this project, also where another one has named it.
    return 'by a user of another project' if who is None else f'to {who}'


def no_user(quoted: str) -> str:
    """Refuse what names no user."""
    return f'Invalid user of lock_pass: found {quoted}, wanted {_USER}.'


def lacking(name: str) -> str:
    """Refuse the body of a pass without something.

    :param name: of it, ``user`` or ``expires_at``.
    """
    return (f'Invalid body of lock_pass: found no {name}, wanted null, or '
            f'{{"user": {_USER}, "expires_at": "2026-12-24T18:00:00Z"}}.')


def too_far(found: str | None, latest: str | None) -> str:
    """Refuse a pass that is valid for long."""
    return (f'Invalid expires_at of lock_pass: found {found}, wanted at most '
            f'{latest}: a pass is valid for a day.')


def of_level(stack: str, name: str, level: str | None) -> str:
    """Refuse a pass through a lock that protects resources.

    :param name: of the root stack.
    """
    return (f'The lock of stack {stack} has level {level}, and a pass is '
            f'for level stacks. {_NOTHING} Lower the level first: openstack '
            f'stack lock --level stacks {name}.')


def another(stack: str, who: str | None, until: str | None,
            name: str) -> str:
    """Refuse a second pass.

    :param who: for whom the first one is; None: another project has granted
        it.
    :param name: of the root stack.
    """
    found = f'granted {_by_or_to(who)}'
    return (f'There is a pass through the lock of stack {stack} already, '
            f'{found} until {until}. {_NOTHING} To grant another one, revoke '
            f'that first: openstack stack lock pass revoke {name}.')


def none(stack: str) -> str:
    """Refuse to revoke what there is not."""
    return f'There is no pass through the lock of stack {stack}.'


def in_use(called: str, stack: str, name: str) -> str:
    """Refuse a request about a lock whose pass is used.

    :param called: what is refused, before "of stack ...".
    :param name: of the root stack.
    """
    return (f'{called} of stack {stack} is not allowed while an update goes '
            f'through its lock with a pass. {_NOTHING} Wait for its end, '
            f'cancel it (openstack stack cancel {name}), or lift the lock '
            f'(openstack stack unlock {name}).')


def ask(name: str) -> str:
    """Tell who is refused an update what would let it through.

    :param name: of the root stack.
    """
    return (' Or ask for a pass for this one update: openstack stack lock '
            f'pass grant --user USER --for 1h {name}.')


def there_is(who: str | None, until: str | None) -> str:
    """Tell who is refused an update that somebody else has a pass.

    :param who: as that of :func:`another`.
    """
    return (f' There is a pass through the lock, granted {_by_or_to(who)} '
            f'until {until}, and there can be one at a time.')


#: What a refusal of the lock tells besides while its pass is used.
IN_USE = ('An update goes through the lock with a pass now; until it is over, '
          'who holds the pass or may unlock can cancel it, and nothing else '
          'is done. ')
