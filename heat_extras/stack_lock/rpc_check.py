# SPDX-License-Identifier: Apache-2.0

"""Check RPC calls that start an operation, and count rejected operations."""

import contextlib
import functools

from heat.common import context as heat_context
from heat.common import exception as heat_exception
from oslo_messaging.rpc import dispatcher

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.db import stack_columns
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
    """Set the operation of this thread, and count it if a lock rejects it.

    :param context: the context of the caller.
    """
    with (request_context.set_operation(operation),
          request_context.set_caller(context),
          rpc_errors.as_expected_exception(), _count_refusals(operation),
          rpc_errors.hide_internal_errors(operation)):
        yield


def checking_wrapper(operation):
    """Return a wrapper of an RPC method of Heat that starts an operation."""
    def call(self, original, cnxt, *args, **kwargs):
        with rpc_operation(operation, cnxt):
            return original(cnxt, *args, **kwargs)
    return call


def make_rpc_method(name, function):
    """Make an RPC method from a function.

    :param name: the name of the request, for unexpected errors.
    :param function: a function of the EngineService, the context, and the
        arguments of the RPC method.
    """
    @heat_context.request_context
    @functools.wraps(function)
    def call(self, cnxt, *args, **kwargs):
        with rpc_errors.hide_internal_errors(name, is_own=True):
            return function(self, cnxt, *args, **kwargs)
    return call


@contextlib.contextmanager
def _count_refusals(operation):
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
    """Allow an update to use the lock pass of its caller."""
    with consume.pass_context(context) as pass_use:
        yield
    if pass_use.is_refused:
        relock.relock_if_idle(context, pass_use.stack_id)


def check_row(context, row):
    """Reject the current operation if a lock in the row forbids it.

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
    """Mark a resource, and report a stack lock that was set in the meantime.

    :param mark: Heat's own function, without arguments.
    """
    try:
        return mark()
    except dispatcher.ExpectedException as error:
        # For Heat, a stack that was locked in the meantime has a busy
        # resource.
        if not isinstance(error.exc_info[1], errors.StackLocked):
            check.check_again(context, stack_id,
                              request_context.get_operation())
        raise


def check_start(stack):
    """Check an operation that has the StackLock, before its thread starts."""
    current = request_context.get_operation()
    # For the thread that releases the StackLock at the end.
    stack.heat_extras_is_exported = current == operations.EXPORT
    if operations.is_deletion(current):
        with deletion.unlock_first(stack, current):
            deletion.start_legacy_deletion(stack, current)
    elif (operations.is_ever_refused(current or operations.OTHER)
          and not consume.consume(stack)):
        check.check_again(stack.context, stack.id,
                          current or operations.OTHER)


def count_refusal(error, operation):
    """Count a rejected operation, also if the database is unavailable.

    :param error: the exception of the operation. Only
        :class:`errors.StackLocked` and :class:`errors.StackProtected` count.
    """
    if isinstance(error, (errors.StackLocked, errors.StackProtected)):
        counting.count_event(error.kwargs.get('stack_id'), counters.REFUSED,
                             operation)
