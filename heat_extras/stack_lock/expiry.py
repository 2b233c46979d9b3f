# SPDX-License-Identifier: Apache-2.0

"""Check the expiration times of locks.

Times are compared with the clock of the database, because the clocks of
engines can differ by minutes.
"""

import datetime

from heat.db import api as db_api
from oslo_config import cfg

from heat_extras.db import db_time
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import states
from heat_extras import timestamps


def parse_expiration(expires_at):
    """Parse the expiration time in a request.

    :returns: a datetime in UTC with whole seconds, or None.
    :raises StackLockInvalid: if the value is not valid.
    """
    if expires_at is None:
        return None
    try:
        return timestamps.parse(expires_at)
    except ValueError as error:
        raise errors.StackLockInvalid(message=str(error)) from error


def check_early(context, root, level, expires_at):
    """Call :func:`check_expiration` early, before plugins are called.

    :param root: a heat.objects.stack.Stack.
    """
    if expires_at is None:
        return
    with db_api.context_manager.reader.independent.using(context) as session:
        check_expiration(session, root, level,
                         override_policy.rank_of(context), expires_at)


def check_expiration(session, root, level, rank, expires_at, is_kept=False):
    """Reject an expiration time that a lock cannot have.

    :param root: the root's row.
    :param level: the level of the lock.
    :param rank: the rank of the lock.
    :param expires_at: the time, or None.
    :param is_kept: whether the lock already has this time.
    :raises StackLockInvalid: if the time is past, or too far ahead.
    :raises StackLockConflict: if Heat could not unlock the stack.
    """
    if expires_at is None:
        return
    if level == states.ALL:
        _check_releasable(root, rank)
    if is_kept:
        _check_not_expired(session, root, expires_at)
        return
    now = check_in_future(session, expires_at)
    days = cfg.CONF.heat_extras.lock_max_days
    latest = now + datetime.timedelta(days=days)
    if days and expires_at > latest:
        raise errors.StackLockInvalid(message=(
            f'Invalid expires_at: {timestamps.to_iso(expires_at)} is more '
            f'than {days} days ahead ([heat_extras] lock_max_days). The '
            f'latest possible time is {timestamps.to_iso(latest)}.'))


def check_in_future(session, expires_at):
    """Reject a time in the past.

    :returns: the time of the database.
    :raises StackLockInvalid: with both times.
    """
    now = db_time.read_time(session)
    if expires_at <= now:
        raise errors.StackLockInvalid(message=(
            f'Invalid expires_at: {timestamps.to_iso(expires_at)} is in the '
            f'past. The time of the database is {timestamps.to_iso(now)}.'))
    return now


def _check_not_expired(session, root, expires_at):
    if expires_at <= db_time.read_time(session):
        raise errors.StackLockConflict(message=(
            f'The lock of stack {messages.name_and_id(root)} expired at '
            f'{timestamps.to_iso(expires_at)}, and an engine is about to '
            'unlock the stack. The lock was not changed. Set another '
            'expiration time, or try again when the stack is unlocked.'))


def _check_releasable(root, rank):
    refused = None
    if rank == states.ADMIN:
        refused = (
            f'Stack {messages.name_and_id(root)} cannot have an administrator '
            'lock of level "all" that expires: Heat would release the '
            "resources with the credentials of the stack's user, who is not "
            'allowed to release them.')
    elif root.user_creds_id is None:
        refused = (
            f'Stack {messages.name_and_id(root)} cannot have a lock of level '
            '"all" that expires: Heat has no stored credentials of this stack '
            'to release its resources.')
    if refused:
        raise errors.StackLockConflict(message=(
            f'{refused} The lock was not changed. Leave out expires_at, or '
            'lock the stack with level "stacks".'))
