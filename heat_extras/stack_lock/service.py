# SPDX-License-Identifier: Apache-2.0

"""Lock, unlock, and change the expiration: called by the RPC methods."""

from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import models
from heat_extras.heat_internals import caller
from heat_extras.stack_lock import commit_retry
from heat_extras.stack_lock import engine_check
from heat_extras.stack_lock import events
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock.lock_list import precondition
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import resource_fields
from heat_extras.stack_lock import states
from heat_extras.stack_lock import worker
from heat_extras import timestamps

LOG = logging.getLogger(__name__)

_lock = models.lock_table


def lock(service, context, stack_identity, named=None, dry_run=False,
         expected=None, replace=False):
    """Lock a root stack and everything nested in it.

    A lock that is there keeps what the request does not name.

    :param service: the heat.engine.service.EngineService that was asked.
    :param named: a dict with any of ``level`` (``stacks`` or ``all``),
        ``reason`` (at most 255 characters, or None) and ``expires_at`` (see
        :func:`expiry.parse`).
    :param dry_run: whether to change nothing, and to report what would be
        protected.
    :param expected: a dict with the ``id`` of the lock that has to be in
        effect, None for no lock; see :func:`precondition.read`.
    :param replace: whether to replace all of a lock, also if another user has
        set it.
    :returns: what the API answers: for a dry run what would be protected,
        else the ID of the lock, and of the lock that it has changed.
    :raises StackLockInvalid: for a nested stack or an invalid request.
    :raises StackLockConflict: if an operation of the tree is in progress.
    :raises StackLockForbidden: if the lock has a higher rank.
    """
    named = named or {}
    lock_request.validate(named, dry_run, replace)
    expected = precondition.read(expected, 'lock')
    expires_at = expiry.parse(named.get('expires_at'))
    root = lock_request.root_row(service, context, stack_identity, 'lock')
    wanted = lock_request.read(context, named, expires_at, replace,
                               service.engine_id)
    check = lock_request.lock_checker(context, root, expected, replace)
    level = lock_request.check_lock_early(context, root, wanted, check)
    if dry_run:
        return resource_fields.dry_run(context, root, level)
    engine_check.check_all_guarded(context)
    with lock_request.ask_callbacks(context, root, states.LOCK) as end:
        outcome = lock_request.lock(context, root, wanted, check)
    worker.start(service, context, outcome, states.LOCK, outcome.level, end)
    # Who would look for it afterwards could find the one of somebody else.
    return {'lock': {'id': outcome.lock_id,
                     'previous_id': outcome.previous_id}}


def unlock(service, context, stack_identity, expected=None,
           ignore_failures=False):
    """Unlock a root stack and everything nested in it.

    :param service: as in :func:`lock`; and *expected*.
    :param ignore_failures: whether to unlock the stack also if resources
        cannot be released.
    :raises StackLockInvalid: for a nested stack.
    :raises StackLockConflict: if the stack is not locked.
    :raises StackLockForbidden: if the lock has a higher rank.
    """
    lock_request.check_boolean('ignore_failures', ignore_failures)
    wanted = precondition.read(expected, 'unlock')
    root = lock_request.root_row(service, context, stack_identity, 'unlock')
    lock_request.check_early(context, root, states.UNLOCK, wanted)
    with lock_request.ask_callbacks(context, root, states.UNLOCK) as end:
        outcome = lock_request.unlock(context, root, service.engine_id, wanted)
    worker.start(service, context, outcome, states.UNLOCK, end=end,
                 ignore_failures=ignore_failures)


def extend_lock(service, context, stack_identity, expires_at, expected=None):
    """Change when the lock of a tree expires.

    The lock keeps its ID. Nothing is fenced, since nothing else of it changes,
    and no plugin is called.

    :param service: as in :func:`lock`; and *expected*.
    :param expires_at: see :func:`expiry.parse`; None: it does not expire.
    :raises StackLockInvalid: for a nested stack or an invalid time.
    :raises StackLockConflict: if the stack is not locked.
    :raises StackLockForbidden: if the lock has a higher rank.
    """
    expected = precondition.read(expected, 'extend_lock')
    expires_at = expiry.parse(expires_at)
    root = lock_request.root_row(service, context, stack_identity,
                                 'extend_lock')
    engine_check.check_all_guarded(context, 'Locks cannot expire')
    outcome = write_expiration(context, root.id, lock_request.checker(
        context, root, operations.EXTEND_LOCK, expected,
        'Changing the expiration of the lock'), expires_at)
    events.notify(service, context, outcome, states.EXTEND_LOCK)
    LOG.info('The end of the lock of %(name)s (%(id)s) is: %(end)s',
             {'name': root.name, 'id': root.id,
              'end': timestamps.to_iso(expires_at) or 'none'})


@commit_retry.committed_once
def write_expiration(context, root_id, check, expires_at):
    """Write when a lock expires, while it is in effect.

    It locks the rows of the tree: an engine that unlocks the tree has done so,
    or it reads this time.

    :param check: as in :func:`lock_transaction.lock_tree`.
    :returns: a :class:`lock_transaction.TransactionResult`.
    """
    with lock_transaction.transaction(context) as session:
        root = lock_transaction.checked_tree(session, root_id, check)[root_id]
        lock = lock_record.Lock.from_row(root)
        expiry.check(session, root, lock.level, lock.rank, expires_at)
        session.execute(
            sqlalchemy.update(_lock).where(_lock.c.id == lock.id)
            .values(expires_at=expires_at, unlock_at=expires_at,
                    unlock_attempts=0))
        changed = ('The lock does not expire any more' if expires_at is None
                   else f'The lock expires at {timestamps.to_iso(expires_at)} '
                        'now')
        return commit_retry.record_outcome(lock_transaction.TransactionResult(
            root, [], events.write_completed(
                session, root, changed, why=events.requester(
                    root, caller.printable_name(context),
                    context.project_id))))
