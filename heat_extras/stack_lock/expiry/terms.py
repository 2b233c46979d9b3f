# SPDX-License-Identifier: Apache-2.0

"""Which ends a lock can have.

The clock of the database judges, in the transaction that writes the end: the
clocks of engines can be minutes apart.
"""

import datetime

from heat.db import api as db_api
from oslo_config import cfg

from heat_extras.db import db_time
from heat_extras.stack_lock import errors
from heat_extras.stack_lock.expiry import words
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import states
from heat_extras.stack_lock import words as lock_words
from heat_extras import timestamps


def read(sent):
    """Read what the API sends of an end.

    :returns: a datetime, UTC in whole seconds, or None.
    :raises StackLockInvalid: saying what was found and what was wanted.
    """
    if sent is None:
        return None
    try:
        return timestamps.parse(sent)
    except ValueError as error:
        raise errors.StackLockInvalid(message=str(error)) from error


def check_early(context, root, level, wanted):
    """Refuse before anybody else is asked, as :func:`check` does again.

    :param root: a heat.objects.stack.Stack.
    """
    if wanted is None:
        return
    with db_api.context_manager.reader.independent.using(context) as session:
        check(session, root, level, override_policy.of(context), wanted)


def check(session, root, level, rank, wanted, is_kept=False):
    """Refuse an end that a lock cannot have.

    :param root: the root's row.
    :param level: of the lock, and its rank.
    :param wanted: the end, or None.
    :param is_kept: whether the lock has that end already.
    :raises StackLockInvalid: for one in the past, or too far ahead.
    :raises StackLockConflict: for one that Heat could not bring about.
    """
    if wanted is None:
        return
    if level == states.ALL:
        _check_releasable(root, rank)
    if is_kept:
        _check_not_expired(session, root, wanted)
        return
    now = still_to_come(session, wanted)
    days = cfg.CONF.heat_extras.lock_max_days
    latest = now + datetime.timedelta(days=days)
    if days and wanted > latest:
        raise errors.StackLockInvalid(message=words.too_far(
            timestamps.to_iso(wanted), days, timestamps.to_iso(latest)))


def still_to_come(session, wanted):
    """Refuse a moment that has come already.

    :returns: what time it is.
    :raises StackLockInvalid: naming both.
    """
    now = db_time.read(session)
    if wanted <= now:
        raise errors.StackLockInvalid(message=words.past(
            timestamps.to_iso(wanted), timestamps.to_iso(now)))
    return now


def _check_not_expired(session, root, wanted):
    if wanted <= db_time.read(session):
        raise errors.StackLockConflict(message=(
            f'The lock of stack {lock_words.named(root)} expired at '
            f'{timestamps.to_iso(wanted)}, and an engine is about to unlock '
            'the stack. Nothing was changed. Name another expiration time, '
            'or try again when the stack is unlocked.'))


def _check_releasable(root, rank):
    named = lock_words.named(root)
    if rank == states.ADMIN:
        raise errors.StackLockConflict(message=words.end_of_admins(named))
    if root.user_creds_id is None:
        raise errors.StackLockConflict(
            message=words.end_without_credentials(named))
