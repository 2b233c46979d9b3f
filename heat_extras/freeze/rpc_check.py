# SPDX-License-Identifier: Apache-2.0

"""Where an operation of a caller begins, and a freeze stops it.

Heat loads the stack's row itself in every RPC method, so the check takes no
statement of its own: the wrapper of the RPC method says what is about to
happen, and the wrapper of ``EngineService._get_stack`` looks at the row.
What Heat asks for a parent goes on: it is a part of what runs.
"""

import contextlib
import contextvars
import dataclasses

from heat.objects import stack as stack_object
from oslo_utils import timeutils

from heat_extras import context_vars
from heat_extras import exception
from heat_extras.freeze import check
from heat_extras.heat_internals import operation_names
from heat_extras.heat_internals import parent_call
from heat_extras.heat_internals import rpc_errors

_asked = contextvars.ContextVar('heat_extras_freeze', default=None)


@dataclasses.dataclass
class Asked:
    """What a caller asks for in this thread.

    :ivar ignoring: the windows that make a signal ineffective.
    """

    operation: str
    is_checked: bool = False
    ignoring: tuple = ()


@contextlib.contextmanager
def asked(context, operation):
    """Say which operation begins in this thread, for whom.

    :param operation: None: one that no freeze stops.
    """
    is_free = operation is None or parent_call.is_parent_call(context)
    with (context_vars.override(_asked, None if is_free else Asked(operation)),
          rpc_errors.as_expected_exception(),
          exception.hide_internal_errors(operation)):
        yield


def checked(operation):
    """Return a wrapper of an RPC method that begins an operation."""
    def check_before(self, original, cnxt, *args, **kwargs):
        with asked(cnxt, operation):
            return original(cnxt, *args, **kwargs)
    return check_before


def check_row(context, row):
    """Refuse the operation that begins, if a freeze of its project does.

    :param row: the heat.objects.stack.Stack that Heat has loaded.
    :raises StackFrozen:
    """
    current = _asked.get()
    if current is None or current.is_checked:
        return
    if current.operation == operation_names.SIGNAL:
        current.ignoring = tuple(check.find_windows(
            context, current.operation, row.tenant, timeutils.utcnow()))
    else:
        check.refuse_if_frozen(
            context, current.operation, row.tenant, row.name, row.id,
            row.owner_id is not None)
    # What begins before a freeze is not stopped by it, however long it takes.
    current.is_checked = True


def ignoring():
    """Return the windows that the signal of this thread's caller meets."""
    current = _asked.get()
    return current.ignoring if current else ()


@contextlib.contextmanager
def creating(context, name, owner_id):
    """Refuse to create a stack while its project is frozen.

    :param owner_id: of the stack around a nested one.
    :raises StackFrozen:
    """
    with asked(context, operation_names.CREATE):
        if _asked.get():
            check.refuse_if_frozen(
                context, operation_names.CREATE, context.project_id, name,
                is_nested=owner_id is not None)
        yield


@contextlib.contextmanager
def migrating(context, stack_id):
    """Refuse to move a stack to convergence while its project is frozen.

    :raises StackFrozen:
    """
    with asked(context, operation_names.MIGRATE):
        # An operator's command, for which Heat has no row at hand.
        row = stack_object.Stack.get_by_id(context, stack_id)
        if row is not None:
            check_row(context, row)
        yield
