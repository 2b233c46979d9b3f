# SPDX-License-Identifier: Apache-2.0

"""Grant and revoke passes.

The lock keeps its id, and nothing is fenced. From then on it does not cover
the stack's own status: passes are for clients that poll that.
"""

import datetime
import types

from heat.db import models as heat_models
from oslo_log import log as logging
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.db import models
from heat_extras.heat_internals import caller
from heat_extras import sanitize
from heat_extras.stack_lock import commit_retry
from heat_extras.stack_lock import engine_check
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock.expiry import terms
from heat_extras.stack_lock.lock_pass import holder
from heat_extras.stack_lock.lock_pass import record
from heat_extras.stack_lock.lock_pass import words
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import notification
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states
from heat_extras.stack_lock import words as lock_words
from heat_extras import timestamps

LOG = logging.getLogger(__name__)

_lock = models.lock_table
_stack = heat_models.Stack.__table__

_LONGEST = datetime.timedelta(days=1)
_UNCOVERED = dict.fromkeys(('lock_action', 'lock_status',
                            'lock_status_reason'))


def order(service, context, identity, user, expires_at, reason):
    """Grant a pass, or revoke it.

    :param service: the heat.engine.service.EngineService that was asked.
    :param identity: of the root stack.
    :param user: as the API sends it; None revokes the pass.
    :param expires_at: see :func:`terms.read`.
    """
    wanted = None if user is None else read(context, user, expires_at, reason)
    root = lock_request.root_row(service, context, identity, 'pass')
    engine_check.check_all_guarded(context, words.NO_PASS)
    check = lock_request.checker(
        context, root, operations.LOCK_PASS,
        called=words.REVOKING if wanted is None else words.GRANTING)
    outcome = (revoke(context, root.id, check) if wanted is None
               else grant(context, root.id, check, wanted))
    notification.send(service, context, outcome, states.LOCK_PASS)
    LOG.info('%(what)s the pass through the lock of %(name)s (%(id)s)',
             {'what': 'Granted' if wanted else 'Revoked',
              'name': root.name, 'id': root.id})


def read(context, user, expires_at, reason):
    """Read what a request wants, as the register will have it.

    :param context: of the caller, who grants it.
    :raises StackLockInvalid: saying what was found and what was wanted.
    """
    lock_request.validate_reason('pass reason', reason)
    try:
        found = holder.read(user, sanitize.quote(user))
        for what, text in found.shown().items():
            charset.check(f'{what} of the user', text)
    except ValueError as error:
        raise errors.StackLockInvalid(message=str(error)) from error
    until = terms.read(expires_at)
    if until is None:
        raise errors.StackLockInvalid(message=words.lacking('expires_at'))
    return {'pass_user_id': found.id, 'pass_user_name': found.name,
            'pass_user_domain': found.domain, 'pass_expires_at': until,
            'pass_reason': sanitize.given(reason),
            'pass_granted_by': charset.line(caller.name(context)),
            'pass_granted_by_project': context.project_id}


@commit_retry.at_most
def grant(context, root_id, check, wanted):
    """Write a pass, while its lock is in force.

    :param check: as in :func:`lock_transaction.lock_tree`.
    :param wanted: the values of :data:`record.COLUMNS`.
    :returns: a :class:`lock_transaction.Outcome`.
    """
    with lock_transaction.transaction(context) as session:
        rows = lock_transaction.checked_tree(session, root_id, check)
        root = rows[root_id]
        lock = lock_record.Lock.from_row(root)
        _check_lock(root, lock)
        _check_moment(session, wanted['pass_expires_at'])
        _check_single(context, session, root, lock)
        session.execute(
            sqlalchemy.update(_lock).where(_lock.c.id == lock.id)
            .values({**wanted, 'pass_granted_at': timeutils.utcnow(),
                     'pass_used_at': None}))
        session.execute(sqlalchemy.update(_stack)
                        .where(_stack.c.id.in_(list(rows)))
                        .values(_UNCOVERED))
        return _told(session, root, counters.GRANTED, words.granted(
            _named(root, wanted), timestamps.to_iso(wanted['pass_expires_at']),
            wanted['pass_reason']))


def _told(session, root, change, reason):
    counting.add(session, root.id, counters.PASS, change)
    return commit_retry.ended(lock_transaction.Outcome(
        root, [], events.tell(session, root, reason)))


def _named(root, wanted):
    # Events are for the stack's project.
    return record.name_for(root.tenant, types.SimpleNamespace(**wanted))


def _check_lock(root, lock):
    if lock.level != states.STACKS:
        raise errors.StackLockConflict(message=words.of_level(
            lock_words.named(root), root.name, lock.level))


def _check_moment(session, until):
    now = terms.still_to_come(session, until)
    if until > now + _LONGEST:
        raise errors.StackLockInvalid(message=words.too_far(
            timestamps.to_iso(until), timestamps.to_iso(now + _LONGEST)))


def _check_single(context, session, root, lock):
    found = record.of_lock(session, lock.id)
    if found is not None:
        raise errors.StackLockConflict(message=words.another(
            lock_words.named(root),
            record.name_for(context.project_id, found),
            timestamps.to_iso(found.pass_expires_at), root.name))


@commit_retry.at_most
def revoke(context, root_id, check):
    """Take a pass that is not used away, also one whose end has come.

    :returns: a :class:`lock_transaction.Outcome`.
    """
    with lock_transaction.transaction(context) as session:
        root = lock_transaction.checked_tree(session, root_id, check)[root_id]
        if not record.clear(session, lock_record.Lock.from_row(root).id):
            raise errors.StackLockConflict(
                message=words.none(lock_words.named(root)))
        return _told(session, root, counters.REVOKED, words.REVOKED)
