# SPDX-License-Identifier: Apache-2.0

"""Lock, unlock, and change the expiration, for the RPC methods."""

from heat.db import api as db_api
from heat.rpc import api as rpc_api
from oslo_log import log as logging

from heat_extras.db import transactions
from heat_extras.heat_internals import caller
from heat_extras.stack_lock import events
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import fields
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import operations
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock import states
from heat_extras.stack_lock import tree_rows
from heat_extras import timestamps

LOG = logging.getLogger(__name__)


def lock(service, context, stack_identity, named=None, dry_run=False,
         expected=None, replace=False):
    """Lock a root stack and all stacks nested in it.

    An existing lock keeps the values that the request does not have.

    :param service: the heat.engine.service.EngineService of the request.
    :param named: a dict with any of ``level`` (``stacks`` or ``all``),
        ``reason`` (at most 255 characters, or None) and ``expires_at`` (see
        :func:`expiry.parse_expiration`).
    :param dry_run: whether to only list the resources that would be protected.
    :param expected: a dict with the ``id`` of the lock that must be in effect,
        or None for no lock, see :func:`lock_request.parse_precondition`.
    :param replace: whether to replace all of a lock, even if another user has
        set it.
    :returns: the body of the response. For a dry run, it lists the resources
        that would be protected. Otherwise it has the ID of the lock, and of
        the lock that it has changed.
    :raises StackLockInvalid: for a nested stack or an invalid request.
    :raises StackLockConflict: if an operation of the tree is in progress.
    :raises StackLockForbidden: if the lock has a higher rank.
    """
    named = named or {}
    lock_request.validate_fields(named, dry_run, replace)
    expected = lock_request.parse_precondition(expected, 'lock')
    expires_at = expiry.parse_expiration(named.get('expires_at'))
    root = lock_request.load_root(service, context, stack_identity, 'lock')
    request = lock_request.make_request(context, named, expires_at, replace,
                                        service.engine_id)
    check = lock_request.lock_check(context, root, expected, replace)
    level = lock_request.check_lock_early(context, root, request, check)
    if dry_run:
        return _dry_run(context, root, level)
    lock_request.check_all_guarded(context)
    with lock_request.call_callbacks(context, root, states.LOCK) as end:
        outcome = lock_request.lock_tree(context, root, request, check)
    lock_thread.start_thread(service, context, outcome, states.LOCK,
                             outcome.level, end)
    # Return the ID, because a later query could find the lock of another user.
    return {'lock': {'id': outcome.lock_id,
                     'previous_id': outcome.previous_id}}


def unlock(service, context, stack_identity, expected=None,
           ignore_failures=False):
    """Unlock a root stack and all stacks nested in it.

    :param service: as in :func:`lock`.
    :param expected: as in :func:`lock`.
    :param ignore_failures: whether to unlock the stack even if resources
        cannot be released.
    :raises StackLockInvalid: for a nested stack.
    :raises StackLockConflict: if the stack is not locked.
    :raises StackLockForbidden: if the lock has a higher rank.
    """
    lock_request.check_boolean('ignore_failures', ignore_failures)
    expected = lock_request.parse_precondition(expected, 'unlock')
    root = lock_request.load_root(service, context, stack_identity, 'unlock')
    lock_request.check_early(context, root, states.UNLOCK, expected)
    with lock_request.call_callbacks(context, root, states.UNLOCK) as end:
        outcome = lock_request.unlock_tree(context, root, service.engine_id,
                                           expected)
    lock_thread.start_thread(service, context, outcome, states.UNLOCK, end=end,
                             ignore_failures=ignore_failures)


def extend_lock(service, context, stack_identity, expires_at, expected=None):
    """Change the expiration of the lock of a tree.

    The lock keeps its ID. The tree is not fenced, because no other value
    changes, and no plugin is called.

    :param service: as in :func:`lock`.
    :param expires_at: see :func:`expiry.parse_expiration`. None removes the
        expiration.
    :param expected: as in :func:`lock`.
    :raises StackLockInvalid: for a nested stack or an invalid time.
    :raises StackLockConflict: if the stack is not locked.
    :raises StackLockForbidden: if the lock has a higher rank.
    """
    expected = lock_request.parse_precondition(expected, 'extend_lock')
    expires_at = expiry.parse_expiration(expires_at)
    root = lock_request.load_root(service, context, stack_identity,
                                  'extend the lock of')
    lock_request.check_all_guarded(context,
                                   'The expiration of a lock cannot '
                                   'be changed')
    check = lock_request.transaction_check(
        context, root, operations.EXTEND_LOCK, expected,
        'Changing the expiration of the lock')
    outcome = write_expiration(context, root.id, check, expires_at)
    events.notify(service, context, outcome, states.EXTEND_LOCK)
    LOG.info('The expiration of the lock of %(name)s (%(id)s) is: %(end)s',
             {'name': root.name, 'id': root.id,
              'end': timestamps.to_iso(expires_at) or 'none'})


@transactions.commit_once
def write_expiration(session, context, root_id, check, expires_at):
    """Write the expiration of a lock in effect.

    This locks the rows of the tree. So an engine that unlocks the tree has
    already unlocked it, or it reads the new time.

    :param check: as in :func:`lock_transaction.lock_tree`.
    :returns: a :class:`lock_transaction.TransactionResult`.
    """
    rows, lock = lock_transaction.read_checked_tree(session, root_id, check)
    root = rows[root_id]
    expiry.check_expiration(session, root, lock.level, lock.rank, expires_at)
    guard_row.update(session, lock.id, expires_at=expires_at,
                     unlock_at=expires_at, unlock_attempts=0)
    changed = ('The lock no longer expires' if expires_at is None
               else f'The lock now expires at {timestamps.to_iso(expires_at)}')
    return lock_transaction.TransactionResult(
        root, [], events.write_completed(
            session, root, changed, why=events.requested_by(
                root, caller.printable_name(context), context.project_id)))


def _dry_run(context, root, level):
    """Return the body of a dry run: each resource with its protection."""
    body = {'level': level, 'resources': []}
    if level == states.ALL:
        with db_api.context_manager.reader.independent.using(
                context) as session:
            ids = tree_rows.stack_ids(session, root.id)
        report = lock_resources.dry_run(context, root.id, ids)
        body['resources'] = [
            _resource_body(resource, state, reason)
            for resource, (state, reason) in report.results.items()]
    return {'lock': body}


def _resource_body(resource, state, reason):
    return {rpc_api.RES_NAME: resource.name,
            rpc_api.RES_TYPE: resource.type(),
            rpc_api.RES_STACK_NAME: resource.stack.name,
            rpc_api.RES_PHYSICAL_ID: resource.resource_id,
            fields.PROTECTION: state, fields.REASON: reason}
