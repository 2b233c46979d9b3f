# SPDX-License-Identifier: Apache-2.0

"""Reject operations on locked stacks."""

from heat.db import api as db_api
from heat.objects import snapshot as snapshot_object
from heat.objects import stack as stack_object
from oslo_log import log as logging

from heat_extras.db import retries
from heat_extras import guard
from heat_extras.heat_internals import agent_signals
from heat_extras import rpc_request
from heat_extras.stack_lock.delete_protection import protected_deletion
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import pass_use

LOG = logging.getLogger(__name__)


def raise_locked(context, stack_name, stack_id, lock, operation,
                 is_root=False):
    """Raise the error for an operation on a locked stack.

    :param is_root: whether the stack is known to be a root, which saves a
        query.
    :raises StackLocked: always.
    """
    LOG.info('%(operation)s of stack %(name)s (%(id)s) refused: the stack is '
             'locked (level %(level)s)',
             {'operation': operation, 'name': stack_name, 'id': stack_id,
              'level': lock.level})
    raise _make_error(context, stack_name, stack_id, lock, operation, is_root)


def _make_error(context, stack_name, stack_id, lock, operation, is_root):
    return errors.StackLocked(stack_id=stack_id, message=lock.describe(
        stack_name, stack_id, context.project_id,
        None if is_root else _root_name(context, stack_id), operation))


def check_row(context, stack, operation):
    """Reject an operation if the lock in the stack's row forbids it.

    :param stack: a heat.objects.stack.Stack.
    :raises StackLocked: if the lock forbids the operation.
    """
    lock = _find_refusing_lock(context, stack, operation)
    if lock is not None:
        raise_locked(context, stack.name, stack.id, lock, operation,
                     is_root=stack.owner_id is None)


def list_stops(context, update):
    """List the lock that stops an update of the caller, if any."""
    row = stack_object.Stack.get_by_id(context, update.stack.id)
    with rpc_request.processing(rpc_request.Request(operations.UPDATE,
                                                    context)):
        lock = _find_refusing_lock(context, row, operations.UPDATE)
    return [] if lock is None else [guard.Stop(
        errors.StackLocked.__name__, str(_make_error(
            context, row.name, row.id, lock, operations.UPDATE,
            row.owner_id is None)))]


def _find_refusing_lock(context, stack, operation):
    """Return the lock that refuses an operation on a stack, or None.

    :param stack: a heat.objects.stack.Stack.
    """
    if not operations.is_ever_refused(operation):
        return None
    lock = guard_row.read_lock_of(context, stack)
    if stack.backup and not lock.is_locked:
        # The backup stack of the legacy engine during an update with a lock
        # pass.
        lock = guard_row.read_lock(context, stack.owner_id)[1]
    is_refused = (
        lock.refuses(operation)
        and not pass_use.is_allowed_meanwhile(context, lock, operation)
        and not pass_use.may_pass(stack, lock, operation))
    return lock if is_refused else None


def check_again(context, stack_id, operation):
    """Read the lock of a stack again, and reject an operation it forbids.

    :raises StackLocked: if the lock forbids the operation.
    """
    stack_name, lock = guard_row.read_lock(context, stack_id)
    if lock.refuses(operation) and not pass_use.is_allowed_meanwhile(context,
                                                                     lock,
                                                                     operation):
        raise_locked(context, stack_name, stack_id, lock, operation)
    if operations.is_deletion(operation):
        protected_deletion.check_again(context, stack_id)


def _root_name(context, stack_id):
    # This is only called before an error, so that the additional query does
    # not matter. It needs its own transaction, because the caller's
    # transaction might have failed.
    with db_api.context_manager.reader.independent.using(context):
        root_id = db_api.stack_get_root_id(context, stack_id)
        root = root_id and db_api.stack_get(context, root_id,
                                            eager_load=False)
        return root.name if root else None


def delete_snapshot(context, snapshot_id):
    """Delete the row of a snapshot that was rejected because of a lock."""
    retries.on_db_error(snapshot_object.Snapshot.delete)(
        context, snapshot_id)


def check_hook(resource, details):
    """Reject a signal that clears a hook of a locked stack.

    :param details: of the signal.
    :raises StackLocked: if the lock forbids it.
    """
    lock = lock_record.lock_of(resource.stack)
    if (lock.refuses(operations.CLEAR_HOOK)
            and agent_signals.clears_hook(details)):
        check_again(resource.context, resource.stack.id, operations.CLEAR_HOOK)
