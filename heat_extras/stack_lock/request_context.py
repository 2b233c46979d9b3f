# SPDX-License-Identifier: Apache-2.0

"""Which operation this thread works on for a caller, if it is a guarded one.

Heat loads the stack's row itself in every RPC method, so the check needs no
statement of its own: the wrapper of the RPC method only says what is about
to happen, and the wrapper of ``EngineService._get_stack`` looks at the row.
"""

import contextvars

from heat_extras import context_vars
from heat_extras.stack_lock import operations

_current = contextvars.ContextVar('heat_extras_operation', default=None)
_caller = contextvars.ContextVar('heat_extras_caller', default=None)
_persisting = contextvars.ContextVar('heat_extras_persisting', default=False)


def set_operation(operation):
    """Say that an operation is under way in this thread, for its caller.

    :param operation: one of :mod:`operations`; None: none.
    """
    return context_vars.override(_current, operation)


def set_operation_of_thread(stack):
    """Say the same in the thread that ends what another one began.

    :param stack: at which it is noted when what began was an export.
    """
    exported = getattr(stack, 'heat_extras_is_exported', False)
    return set_operation(operations.EXPORT if exported else get_operation())


def get_operation():
    """Return the operation under way in this thread, or None."""
    return _current.get()


def set_caller(context):
    """Say whose request this thread works on.

    :param context: as it came by RPC. Heat often goes on with another one, of
        the stack's owner.
    """
    return context_vars.override(_caller, context)


def get_caller():
    """Return the context of this thread's caller, or None."""
    return _caller.get()


def set_persisting():
    """Say that Stack._persist_state is under way in this thread."""
    return context_vars.override(_persisting, True)


def is_persisting():
    """Return whether Stack._persist_state is under way in this thread."""
    return _persisting.get()
