# SPDX-License-Identifier: Apache-2.0

"""Grant and revoke lock passes, and remove passes that expire unused.

The lock keeps its ID, and the tree is not fenced. After the grant, the stack
status does not show the lock, because clients with a pass poll this status.
"""

import datetime
import types

from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_log import log as logging
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras.heat_internals import caller
from heat_extras import sanitize
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states
from heat_extras import timestamps

LOG = logging.getLogger(__name__)

_lock = models.guard_table
_stack = heat_models.Stack.__table__

# The size of the columns for a user.
_LENGTH = sanitize.LINE
_BY_ID, _BY_NAME = {'id'}, {'name', 'domain'}

_LONGEST = datetime.timedelta(days=1)
_UNCOVERED = dict.fromkeys(('action', 'status', 'status_reason'))


def grant_or_revoke(service, context, stack_identity, user=None,
                    expires_at=None, reason=None):
    """Grant a pass, or revoke it.

    :param service: the heat.engine.service.EngineService of the request.
    :param user: the user as in the request. None revokes the pass.
    :param expires_at: see :func:`expiry.parse_expiration`.
    """
    values = None if user is None else parse_fields(context, user, expires_at,
                                                    reason)
    root = lock_request.load_root(service, context, stack_identity,
                                  'name')
    lock_request.check_all_guarded(
        context, 'No lock pass can be '
        + ('revoked' if values is None else 'granted'))
    check = lock_request.transaction_check(
        context, root, operations.LOCK_PASS, operation_name=(
            'Revoking the lock pass' if values is None
            else 'Granting a lock pass'))
    outcome = (revoke(context, root.id, check) if values is None
               else grant(context, root.id, check, values))
    events.notify(service, context, outcome, states.LOCK_PASS)
    LOG.info('%(verb)s the lock pass of stack %(name)s (%(id)s)',
             {'verb': 'Granted' if values else 'Revoked',
              'name': root.name, 'id': root.id})


def parse_fields(context, user, expires_at, reason):
    """Parse the fields of a request into columns of the lock table.

    :param context: the context of the caller, who grants the pass.
    :raises StackLockInvalid: with the value that is not valid.
    """
    lock_request.validate_reason('pass reason', reason)
    try:
        parsed = parse_user(user)
        for name, text in parsed.to_dict().items():
            charset.check_storable(f'{name} of the user', text)
    except ValueError as error:
        raise errors.StackLockInvalid(message=str(error)) from error
    return {'pass_user_id': parsed.id, 'pass_user_name': parsed.name,
            'pass_user_domain': parsed.domain,
            'pass_expires_at': expiry.parse_expiration(expires_at),
            'pass_reason': sanitize.none_if_blank(reason),
            'pass_granted_by': charset.storable_line(
                caller.printable_name(context)),
            'pass_granted_by_project': context.project_id}


def parse_user(user: object) -> lock_record.PassUser:
    """Parse the user in a request.

    :raises ValueError: with the value that is not valid.
    """
    if (not isinstance(user, dict) or set(user) not in (_BY_ID, _BY_NAME)
            or not all(map(_is_text, user.values()))):
        raise ValueError(
            f'Invalid user of lock_pass: {sanitize.quote(user)} must be '
            '{"id": "..."} or {"name": "...", "domain": "..."}.')
    return lock_record.PassUser(**user)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LENGTH


@transactions.commit_once
def grant(session, context, root_id, check, values):
    """Write a pass, if its lock is in effect.

    :param check: as in :func:`lock_transaction.lock_tree`.
    :param values: a dict with values of :data:`guard_row.PASS_COLUMNS`.
    :returns: a :class:`lock_transaction.TransactionResult`.
    """
    rows, lock = lock_transaction.read_checked_tree(session, root_id, check)
    root = rows[root_id]
    _check_level(root, lock)
    _check_expiration(session, values['pass_expires_at'])
    _check_single(context, root, lock)
    guard_row.update(session, lock.id, **{
        **values, **_UNCOVERED, 'pass_used_at': None,
        'pass_granted_at': timeutils.utcnow()})
    return _record_change(session, root, counters.GRANTED,
                          _granted_message(root, values))


def _granted_message(root, values):
    # The stack's project reads the event.
    granted = lock_record.to_or_by_user(root.tenant,
                                        types.SimpleNamespace(**values))
    return (f'A lock pass was granted {granted}, for one update until '
            f'{timestamps.to_iso(values["pass_expires_at"])}'
            f'{sanitize.after_colon(values["pass_reason"])}')


def _record_change(session, root, change, reason):
    counter_writes.increment(session, root.id, counters.PASS, change)
    return lock_transaction.TransactionResult(
        root, [], events.write_completed(session, root, reason))


def _check_level(root, lock):
    if lock.level != states.STACKS:
        raise errors.StackLockConflict(message=(
            f'The lock of stack {messages.name_and_id(root)} has level '
            f'"{lock.level}", but a lock pass requires level "stacks". No '
            'lock pass was granted. First change the level of the lock: '
            f'openstack stack lock --level stacks {root.name}.'))


def _check_expiration(session, expires_at):
    latest = expiry.check_in_future(session, expires_at) + _LONGEST
    if expires_at > latest:
        raise errors.StackLockInvalid(message=(
            'Invalid expires_at of lock_pass: '
            f'{timestamps.to_iso(expires_at)} must be at most a day ahead (at '
            f'the latest {timestamps.to_iso(latest)}).'))


def _check_single(context, root, lock):
    row = lock.pass_row
    if row is None:
        return
    granted = lock_record.to_or_by_user(context.project_id, row)
    raise errors.StackLockConflict(message=(
        f'Stack {messages.name_and_id(root)} already has a lock pass, granted '
        f'{granted} until {timestamps.to_iso(row.pass_expires_at)}. The lock '
        'pass was not changed. To grant another lock pass, first revoke this '
        f'lock pass: openstack stack lock pass revoke {root.name}.'))


@transactions.commit_once
def revoke(session, context, root_id, check):
    """Remove a pass that is not in use, even if it has expired.

    :returns: a :class:`lock_transaction.TransactionResult`.
    """
    rows, lock = lock_transaction.read_checked_tree(session, root_id, check)
    root = rows[root_id]
    if not guard_row.clear_pass(session, lock.id):
        raise errors.StackLockConflict(
            message=f'Stack {messages.name_and_id(root)} has no lock pass.')
    return _record_change(session, root, counters.REVOKED,
                          'The lock pass was revoked')


def expire_unused(sweep):
    """Remove the passes that expired unused, and count them.

    If there is no such pass, it only reads the lock table. An expired pass
    cannot be used, even if it is not removed yet.

    :param sweep: the :class:`heat_extras.left_operations.Sweep`.
    """
    with db_api.context_manager.reader.independent.using(
            sweep.context) as session:
        rows = session.execute(
            sqlalchemy.select(_lock.c.id, _lock.c.stack_id,
                              _lock.c.pass_granted_at)
            .where(*_is_expired())).all()
    for row in rows:
        _expire(sweep.context, row)


def _is_expired():
    return (_lock.c.pass_expires_at <= db_time.now(),
            _lock.c.pass_used_at.is_(None))


@transactions.on_db_error
def _expire(context, row):
    with transactions.start(context) as session:
        # Lock the root first, as in every transaction that changes a pass.
        root = session.execute(
            sqlalchemy.select(_stack).where(_stack.c.id == row.stack_id)
            .with_for_update()).first()
        if root is None or not guard_row.clear_pass(
                session, row.id, *_is_expired(),
                _lock.c.pass_granted_at == row.pass_granted_at):
            return
        counter_writes.increment(session, root.id, counters.PASS,
                                 counters.EXPIRED)
        events.write_completed(session, root,
                               'The lock pass has expired before it was used')
