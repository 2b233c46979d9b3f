# SPDX-License-Identifier: Apache-2.0

"""The current operation of this thread, and its caller.

Heat itself loads the stack's row in every RPC method, so the check needs no
further query: the wrapper of the RPC method sets the operation, and the
wrapper of ``EngineService._get_stack`` checks the row.
"""

import contextvars

from heat_extras import context_vars
from heat_extras.stack_lock import operations

_current = contextvars.ContextVar('heat_extras_operation', default=None)
_caller = contextvars.ContextVar('heat_extras_caller', default=None)
_persisting = contextvars.ContextVar('heat_extras_persisting', default=False)


def set_operation(operation):
    """Set the operation of this thread, in a context manager.

    :param operation: one of :mod:`operations`, or None.
    """
    return context_vars.override(_current, operation)


def set_operation_of_thread(stack):
    """Set the operation in a thread that continues it.

    :param stack: the stack, which has an attribute if it is exported.
    """
    exported = getattr(stack, 'heat_extras_is_exported', False)
    return set_operation(operations.EXPORT if exported else get_operation())


def get_operation():
    """Return the operation of this thread, or None."""
    return _current.get()


def set_caller(context):
    """Set the caller of the request of this thread, in a context manager.

    :param context: the context of the RPC call. Heat often continues with
        another context, of the stack's owner.
    """
    return context_vars.override(_caller, context)


def get_caller():
    """Return the context of this thread's caller, or None."""
    return _caller.get()


def set_persisting():
    """Set that this thread is in Stack._persist_state."""
    return context_vars.override(_persisting, True)


def is_persisting():
    """Return whether this thread is in Stack._persist_state."""
    return _persisting.get()
