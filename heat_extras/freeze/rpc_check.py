# SPDX-License-Identifier: Apache-2.0

"""Reject RPC calls that start an operation during a freeze.

Heat itself loads the stack's row in every RPC method, so the check needs no
further query: the wrapper of the RPC method sets the operation, and the
wrapper of ``EngineService._get_stack`` checks the row. Calls of Heat for a
parent stack are not checked, because they are part of a running operation.
"""

import contextlib
import contextvars
import dataclasses

from heat.objects import stack as stack_object
from oslo_utils import timeutils

from heat_extras import context_vars
from heat_extras.freeze import check
from heat_extras.heat_internals import operation_names
from heat_extras.heat_internals import parent_call
from heat_extras.heat_internals import rpc_errors

_current = contextvars.ContextVar('heat_extras_freeze', default=None)


@dataclasses.dataclass
class CurrentOperation:
    """The operation that a caller starts in this thread.

    :ivar ignoring: the windows because of which a signal is ignored.
    """

    operation: str
    is_checked: bool = False
    ignoring: tuple = ()


@contextlib.contextmanager
def set_operation(context, operation):
    """Set the operation that a caller starts in this thread.

    :param operation: None if no freeze rejects the operation.
    """
    is_free = operation is None or parent_call.is_parent_call(context)
    current = None if is_free else CurrentOperation(operation)
    with (context_vars.override(_current, current),
          rpc_errors.as_expected_exception(),
          rpc_errors.hide_internal_errors(operation)):
        yield


def checking_wrapper(operation):
    """Return a wrapper of an RPC method that starts an operation."""
    def check_before(self, original, cnxt, *args, **kwargs):
        with set_operation(cnxt, operation):
            return original(cnxt, *args, **kwargs)
    return check_before


def check_row(context, row):
    """Reject the current operation during a freeze of its project.

    :param row: the heat.objects.stack.Stack that Heat has loaded.
    :raises StackFrozen: if a window rejects the operation.
    """
    current = _current.get()
    if current is None or current.is_checked:
        return
    if current.operation == operation_names.SIGNAL:
        current.ignoring = tuple(check.find_windows(
            context, current.operation, row.tenant, timeutils.utcnow()))
    else:
        check.refuse_if_frozen(
            context, current.operation, row.tenant, row.name, row.id,
            row.owner_id is not None)
    # An operation that started before a freeze continues.
    current.is_checked = True


def windows_ignoring_signal():
    """Return the windows because of which the current signal is ignored."""
    current = _current.get()
    return current.ignoring if current else ()


@contextlib.contextmanager
def check_create(context, name, owner_id):
    """Reject the creation of a stack during a freeze of its project.

    :param owner_id: the ID of a nested stack's parent, or None.
    :raises StackFrozen: if a window rejects the creation.
    """
    with set_operation(context, operation_names.CREATE):
        if _current.get():
            check.refuse_if_frozen(
                context, operation_names.CREATE, context.project_id, name,
                is_nested=owner_id is not None)
        yield


@contextlib.contextmanager
def check_migration(context, stack_id):
    """Reject the migration of a stack to convergence during a freeze.

    :raises StackFrozen: if a window rejects the migration.
    """
    with set_operation(context, operation_names.MIGRATE):
        # For this command of an operator, Heat has not loaded the row.
        row = stack_object.Stack.get_by_id(context, stack_id)
        if row is not None:
            check_row(context, row)
        yield
