# SPDX-License-Identifier: Apache-2.0

"""Which operation this thread works on for a caller, if it is a guarded one.

Heat loads the stack's row itself in every RPC method, so the check needs no
statement of its own: the wrapper of the RPC method only says what is about
to happen, and the wrapper of ``EngineService._get_stack`` looks at the row.
"""

import contextvars

from heat_extras import scoped
from heat_extras.stack_lock import operations

_current = contextvars.ContextVar('heat_extras_operation', default=None)
_caller = contextvars.ContextVar('heat_extras_caller', default=None)
_persisting = contextvars.ContextVar('heat_extras_persisting', default=False)


def guarded(operation):
    """Say that an operation is under way in this thread, for its caller.

    :param operation: one of :mod:`operations`; None: none.
    """
    return scoped.value(_current, operation)


def guarded_as_begun(stack):
    """Say the same in the thread that ends what another one began.

    :param stack: at which it is noted when what began was an export.
    """
    exported = getattr(stack, 'heat_extras_is_exported', False)
    return guarded(operations.EXPORT if exported else current())


def current():
    """Return the operation under way in this thread, or None."""
    return _current.get()


def called_by(context):
    """Say whose request this thread works on.

    :param context: as it came by RPC. Heat often goes on with another one, of
        the stack's owner.
    """
    return scoped.value(_caller, context)


def caller():
    """Return the context of this thread's caller, or None."""
    return _caller.get()


def persisting():
    """Say that Stack._persist_state is under way in this thread."""
    return scoped.value(_persisting, True)


def is_persisting():
    """Return whether Stack._persist_state is under way in this thread."""
    return _persisting.get()
