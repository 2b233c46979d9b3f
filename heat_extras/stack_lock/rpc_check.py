# SPDX-License-Identifier: Apache-2.0

"""Where a guarded operation of a caller begins, and what it meets there."""

import contextlib

from heat.common import exception as heat_exception
from oslo_messaging.rpc import dispatcher

from heat_extras.db import stack_columns
from heat_extras import exception
from heat_extras.heat_internals import rpc_errors
from heat_extras.stack_lock import check
from heat_extras.stack_lock import counters
from heat_extras.stack_lock.delete_protection import refusal as delete_refusal
from heat_extras.stack_lock import deletion
from heat_extras.stack_lock import errors
from heat_extras.stack_lock.lock_pass import recall
from heat_extras.stack_lock.lock_pass import usage
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import request_context
from heat_extras.stack_lock import states


@contextlib.contextmanager
def rpc_operation(operation, context):
    """Say which operation begins; count it if a lock refuses it.

    :param context: of the caller.
    """
    with request_context.set_operation(operation), request_context.set_caller(
            context), rpc_errors.as_expected(), _counted(
                operation), exception.hide_internal_errors(operation):
        yield


@contextlib.contextmanager
def _counted(operation):
    try:
        yield
    except dispatcher.ExpectedException as error:
        counters.count_refusal(error.exc_info[1], operation)
        raise
    except heat_exception.HeatException as error:
        counters.count_refusal(error, operation)
        raise


@contextlib.contextmanager
def with_pass(context):
    """Let an update use the pass of its caller through a lock, if any."""
    with usage.by(context) as found:
        yield
    if found.is_refused:
        recall.close(context, found.stack_id)


def check_row(context, row):
    """Refuse the operation that begins when the stack's row is locked.

    :param row: the heat.objects.stack.Stack that Heat has loaded.
    """
    current = request_context.get_operation()
    if current is None:
        return
    check.check_row(context, row, current)
    delete_refusal.check_row(context, row, current)
    if (current == states.DELETE
            and stack_columns.columns(row).lock_level is not None):
        deletion.check_deletion(context, row)


def check_mark(mark, context, stack_id):
    """Mark a resource, and tell a lock that came meanwhile from its like.

    :param mark: Heat's own way to do it; takes nothing.
    """
    try:
        return mark()
    except dispatcher.ExpectedException as error:
        # A lock that came meanwhile looks like a busy resource.
        if not isinstance(error.exc_info[1], errors.StackLocked):
            check.check_again(context, stack_id,
                              request_context.get_operation())
        raise


def check_start(stack):
    """Refuse an operation that has StackLock, and no thread yet."""
    current = request_context.get_operation()
    # The thread that releases StackLock at the end does not know.
    stack.heat_extras_is_exported = current == operations.EXPORT
    if deletion.is_wanted(stack, current):
        with deletion.lifting(stack):
            deletion.begin(stack)
    elif operations.is_deletion(current):
        deletion.begin_unlocked(stack, current)
    elif (operations.is_ever_refused(current or operations.OTHER)
          and not usage.take(stack)):
        check.check_again(stack.context, stack.id,
                          current or operations.OTHER)
