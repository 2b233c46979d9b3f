# SPDX-License-Identifier: Apache-2.0

"""Where a guarded operation of a caller begins, and what it meets there."""

import contextlib
import functools

from heat.common import context as heat_context
from heat.common import exception as heat_exception
from oslo_messaging.rpc import dispatcher

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.db import stack_columns
from heat_extras import exception
from heat_extras.heat_internals import rpc_errors
from heat_extras.stack_lock import check
from heat_extras.stack_lock.delete_protection import delete_check
from heat_extras.stack_lock import deletion
from heat_extras.stack_lock import errors
from heat_extras.stack_lock.lock_pass import consume
from heat_extras.stack_lock.lock_pass import relock
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import request_context
from heat_extras.stack_lock import states


@contextlib.contextmanager
def rpc_operation(operation, context):
    """Say which operation begins; count it if a lock refuses it.

    :param context: of the caller.
    """
    with request_context.set_operation(operation), request_context.set_caller(
            context), rpc_errors.as_expected_exception(), _counted(
                operation), exception.hide_internal_errors(operation):
        yield


def starting(operation):
    """Make the wrapper of an RPC method of Heat that starts an operation."""
    def call(self, original, cnxt, *args, **kwargs):
        with rpc_operation(operation, cnxt):
            return original(cnxt, *args, **kwargs)
    return call


def own_method(name, function):
    """Make an RPC method of a function.

    :param name: of the request, for the message of an unexpected error.
    :param function: called with the EngineService, the context, and the
        arguments of the RPC method.
    """
    @heat_context.request_context
    @functools.wraps(function)
    def call(self, cnxt, *args, **kwargs):
        with exception.hide_internal_errors(name, is_own=True):
            return function(self, cnxt, *args, **kwargs)
    return call


@contextlib.contextmanager
def _counted(operation):
    try:
        yield
    except dispatcher.ExpectedException as error:
        count_refusal(error.exc_info[1], operation)
        raise
    except heat_exception.HeatException as error:
        count_refusal(error, operation)
        raise


@contextlib.contextmanager
def with_pass(context):
    """Let an update use the pass of its caller through a lock, if any."""
    with consume.pass_context(context) as found:
        yield
    if found.is_refused:
        relock.relock_if_idle(context, found.stack_id)


def check_row(context, row):
    """Refuse the operation that begins when the stack's row is locked.

    :param row: the heat.objects.stack.Stack that Heat has loaded.
    """
    current = request_context.get_operation()
    if current is None:
        return
    check.check_row(context, row, current)
    delete_check.check_row(context, row, current)
    if (current == states.DELETE
            and stack_columns.get_columns(row).lock_level is not None):
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
    if operations.is_deletion(current):
        with deletion.unlock_first(stack, current):
            deletion.begin(stack, current)
    elif (operations.is_ever_refused(current or operations.OTHER)
          and not consume.consume(stack)):
        check.check_again(stack.context, stack.id,
                          current or operations.OTHER)


def count_refusal(error, operation):
    """Count one refusal; a database that is away changes no answer.

    :param error: the exception that the caller is told; only
        :class:`errors.StackLocked` and :class:`errors.StackProtected` count.
    """
    if isinstance(error, (errors.StackLocked, errors.StackProtected)):
        counting.count_event(error.kwargs.get('stack_id'), counters.REFUSED,
                             operation)
