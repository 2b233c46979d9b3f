# SPDX-License-Identifier: Apache-2.0

"""Reject operations on locked stacks, and deletions of protected stacks.

A rejected request is counted. A stack can be locked or protected after its row
was checked: :func:`check_again` finds the reason why a later write failed.
"""

import contextlib

from heat.common import exception as heat_exception
from heat.db import api as db_api
from heat.objects import stack as stack_object
from oslo_log import log as logging
from oslo_messaging.rpc import dispatcher

from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import stack_columns
from heat_extras import exception
from heat_extras import guard
from heat_extras.heat_internals import agent_signals
from heat_extras.heat_internals import caller
from heat_extras.heat_internals import guarded_stacks
from heat_extras.heat_internals import rpc_errors
from heat_extras import rpc_request
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import pass_use
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)


def process(request, proceed):
    """Process a request, and count it if a lock rejects it.

    :param proceed: continues with the request.
    """
    if request.operation not in operations.TABLE:
        return proceed()
    with _count_refusals(request.operation):
        special = _PROCESS.get(request.operation)
        return special(request, proceed) if special else proceed()


def _process_update(request, proceed):
    """Lock the stack again if a guard has rejected its update with a pass."""
    result = proceed()
    if request.pass_use is not None and request.pass_use.is_refused:
        pass_use.relock_if_idle(request.context, request.pass_use.stack_id)
    return result


def _process_deletion(request, proceed):
    with delete_intent.intend(request):
        return proceed()


def _process_mark(request, proceed):
    """Mark a resource, and report a lock that was set in the meantime."""
    try:
        return proceed()
    except (dispatcher.ExpectedException,
            heat_exception.HeatException) as error:
        # For Heat, a stack that was locked in the meantime has a busy
        # resource. The error of a guard, for example of a freeze, is kept.
        if not isinstance(rpc_errors.cause_of(error), exception.Conflict):
            check_again(request.context, request.identity['stack_id'],
                        request.operation)
        raise


def _process_migration(request, proceed):
    check_again(request.context, request.arguments['stack_id'],
                request.operation)
    return proceed()


_PROCESS = {operations.UPDATE: _process_update,
            states.DELETE: _process_deletion,
            operations.ABANDON: _process_deletion,
            operations.MARK_UNHEALTHY: _process_mark,
            operations.MIGRATE: _process_migration}


@contextlib.contextmanager
def _count_refusals(operation):
    try:
        yield
    except (dispatcher.ExpectedException,
            heat_exception.HeatException) as error:
        count_refusal(rpc_errors.cause_of(error), operation)
        raise


def count_refusal(error, operation):
    """Count a rejected operation, also if the database is unavailable.

    :param error: the exception of the operation. Only
        :class:`errors.StackLocked` and :class:`errors.StackProtected` count.
    """
    if isinstance(error, (errors.StackLocked, errors.StackProtected)):
        counter_writes.count_event(error.kwargs.get('stack_id'),
                                   counters.REFUSED,
                                   operation)


def check_row(request, row):
    """Reject a request if a lock or protection forbids it.

    A deletion is rejected before it stops an operation in progress.

    :param row: the heat.objects.stack.Stack that Heat has loaded.
    :raises StackLocked: if the lock of the stack forbids the operation.
    :raises StackLockForbidden: if the deletion needs the rank of the lock.
    :raises StackProtected: if the tree is protected from the deletion.
    """
    context, operation = request.context, request.operation
    check_lock(context, row, operation)
    _check_protection(context, row, operation)
    if (operation == states.DELETE
            and stack_columns.get_columns(row).lock_level is not None):
        _check_deletion(context, row)


def check_lock(context, stack, operation):
    """Reject an operation if the lock in the stack's row forbids it.

    :param stack: a heat.objects.stack.Stack.
    :raises StackLocked: if the lock forbids the operation.
    """
    lock = _find_refusing_lock(context, stack, operation)
    if lock is not None:
        _raise_locked(context, stack.name, stack.id, lock, operation,
                      is_root=stack.owner_id is None)


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


def list_stops(context, update):
    """List the lock that stops an update of the caller, if any."""
    if update.is_creation:
        return []
    row = stack_object.Stack.get_by_id(context, update.stack.id)
    with rpc_request.processing(rpc_request.Request(operations.UPDATE,
                                                    context)):
        lock = _find_refusing_lock(context, row, operations.UPDATE)
    return [] if lock is None else [guard.Stop(
        errors.StackLocked.__name__, str(_make_error(
            context, row.name, row.id, lock, operations.UPDATE,
            row.owner_id is None)))]


def _raise_locked(context, stack_name, stack_id, lock, operation,
                  is_root=False):
    # A stack that is known to be a root saves a query.
    LOG.info('%(operation)s of stack %(name)s (%(id)s) rejected: the stack is '
             'locked (level %(level)s)',
             {'operation': operation, 'name': stack_name, 'id': stack_id,
              'level': lock.level})
    raise _make_error(context, stack_name, stack_id, lock, operation, is_root)


def _make_error(context, stack_name, stack_id, lock, operation, is_root):
    return errors.StackLocked(stack_id=stack_id, message=lock.describe(
        stack_name, stack_id, context.project_id,
        None if is_root else _root_name(context, stack_id), operation))


def _root_name(context, stack_id):
    # This is only called before an error, so that the additional query does
    # not matter. It needs its own transaction, because the caller's
    # transaction might have failed.
    with db_api.context_manager.reader.independent.using(context):
        root_id = db_api.stack_get_root_id(context, stack_id)
        root = root_id and db_api.stack_get(context, root_id,
                                            eager_load=False)
        return root.name if root else None


def _check_deletion(context, stack):
    # The lock of the stack failed. The deletion unlocks the tree first.
    lock = guard_row.read_lock_of(context, stack)
    if stack.owner_id is not None:
        _raise_locked(context, stack.name, stack.id, lock, states.DELETE)
    override_policy.check(context, stack, lock)


def check_again(context, stack_id, operation):
    """Read the lock of a stack again, and reject an operation it forbids.

    :raises StackLocked: if the lock forbids the operation.
    :raises StackProtected: if the stack was protected from this deletion.
    """
    stack_name, lock = guard_row.read_lock(context, stack_id)
    if lock.refuses(operation) and not pass_use.is_allowed_meanwhile(
            context, lock, operation):
        _raise_locked(context, stack_name, stack_id, lock, operation)
    if operations.is_deletion(operation):
        row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
        if row is not None and row.owner_id is None:
            _refuse_if_protected(context, row, row)


def check_hook(resource, details):
    """Reject a signal that clears a hook of a locked stack.

    :param details: of the signal.
    :raises StackLocked: if the lock forbids it.
    """
    lock = lock_record.lock_of(resource.stack)
    if (lock.refuses(operations.CLEAR_HOOK)
            and agent_signals.clears_hook(details)):
        check_again(resource.context, resource.stack.id, operations.CLEAR_HOOK)


def _check_protection(context, row, operation):
    if not operations.is_deletion(operation) or (
            row.owner_id is not None and caller.is_parent_call(context)):
        return
    if delete_intent.stored_intent() is not None:
        # The thread that waited for the cancelled operation has loaded the
        # row again.
        return
    _refuse_if_protected(context, row, guarded_stacks.read_root(context, row))


def _refuse_if_protected(context, row, root):
    # Heat's own object has the columns of heat-extras in another place.
    columns = stack_columns.get_columns(row) if root is row else root
    with db_api.context_manager.reader.independent.using(context) as session:
        current = delete_intent.read_protection(session, root.id, columns)
    if current.is_set:
        _refuse(context, row, root, current)


def store_needed_intent(request, row):
    """Store the intent of a deletion that may stop an operation in progress.

    A deletion that a guard rejects must not have stored its intent.

    :raises StackProtected: if the root is protected meanwhile.
    """
    if request.delete_intent is None or (
            row.owner_id is not None and request.is_of_parent):
        return
    if delete_intent.stored_intent() is None and _needs_intent(row):
        _store_intent(request.context, row)


def _needs_intent(row):
    # The deletion of a locked stack first unlocks it.
    return (row.owner_id is not None
            or stack_columns.get_columns(row).lock_level is not None
            or (row.convergence and row.status == 'IN_PROGRESS'))


def check_busy(context, stack_id):
    """Store the intent to delete a stack whose operation is stopped next.

    This operation holds the StackLock.

    :raises StackProtected: if the tree is protected.
    """
    own = delete_intent.current_intent()
    if own is None or caller.is_parent_call(context):
        return
    own.is_to_wait = True
    if own.is_stored:
        return
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    if row is not None:
        _store_intent(context, row)


def _store_intent(context, row):
    root = guarded_stacks.read_root(context, row)
    current = delete_intent.current_intent().store(context, root.id)
    if current.is_set:
        _refuse(context, row, root, current)


def _refuse(context, row, root, current):
    LOG.info('Deletion of stack %(name)s (%(id)s) rejected: the stack is '
             'protected from deletion',
             {'name': row.name, 'id': row.id})
    raise errors.StackProtected(stack_id=row.id, message=current.describe(
        messages.name_and_id(row), root.name, context.project_id))
