# SPDX-License-Identifier: Apache-2.0

"""Check requests that start an operation, and count rejected requests."""

import contextlib

from heat.common import exception as heat_exception
from heat.objects import stack_lock
from oslo_messaging.rpc import dispatcher

from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import stack_columns
from heat_extras.heat_internals import object_data
from heat_extras.heat_internals import rpc_errors
from heat_extras import rpc_request
from heat_extras.stack_lock import check
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protected_deletion
from heat_extras.stack_lock import deletion
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import pass_use
from heat_extras.stack_lock import states


def process(request, proceed):
    """Process a request, and count it if a lock rejects it.

    :param proceed: continues with the request.
    """
    if request.operation not in operations.TABLE:
        return proceed()
    with _count_refusals(request.operation):
        return _PROCESS.get(request.operation, _proceed)(request, proceed)


def _proceed(request, proceed):
    return proceed()


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
        # resource.
        if not isinstance(rpc_errors.cause_of(error), errors.StackLocked):
            check.check_again(request.context, request.identity['stack_id'],
                              request.operation)
        raise


def _process_migration(request, proceed):
    check.check_again(request.context, request.arguments['stack_id'],
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


def check_row(request, row):
    """Reject a request if a lock in the row forbids it.

    :param row: the heat.objects.stack.Stack that Heat has loaded.
    """
    context, operation = request.context, request.operation
    check.check_row(context, row, operation)
    protected_deletion.check_row(context, row, operation)
    if (operation == states.DELETE
            and stack_columns.get_columns(row).lock_level is not None):
        deletion.check_deletion(context, row)


def check_start(stack):
    """Check an operation that has the StackLock, before its thread starts."""
    current = operations.current()
    # For the thread that releases the StackLock at the end.
    object_data.of_stack(stack).is_exported = current == operations.EXPORT
    if operations.is_deletion(current):
        with deletion.unlock_first(stack, current):
            deletion.start_legacy_deletion(stack, current)
    elif (operations.is_ever_refused(current or operations.OTHER)
          and not pass_use.consume(stack)):
        check.check_again(stack.context, stack.id,
                          current or operations.OTHER)


def end_export(stack, engine_id, proceed):
    """End an operation. Heat 24 and 25 call this also at the end of an export.

    :param stack: the stack. This is another thread than at the start, see
        :func:`check_start`.
    :param proceed: stores the state, writes an event, and releases the lock.
    """
    if lock_record.lock_of(stack).is_in_effect:
        stack_lock.StackLock.release(stack.context, stack.id, engine_id)
        return None
    request = rpc_request.current()
    if object_data.of_stack(stack).is_exported:
        request = rpc_request.Request(operations.EXPORT, stack.context)
    with rpc_request.processing(request):
        return proceed()


def count_refusal(error, operation):
    """Count a rejected operation, also if the database is unavailable.

    :param error: the exception of the operation. Only
        :class:`errors.StackLocked` and :class:`errors.StackProtected` count.
    """
    if isinstance(error, (errors.StackLocked, errors.StackProtected)):
        counter_writes.count_event(error.kwargs.get('stack_id'),
                                   counters.REFUSED,
                                   operation)
