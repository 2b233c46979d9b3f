# SPDX-License-Identifier: Apache-2.0

"""Whether this thread writes the state of an operation that starts or ends."""

import contextvars

from heat_extras import context_vars

_persisting = contextvars.ContextVar('heat_extras_persisting', default=False)


def set_persisting():
    """Set that this thread is in Stack._persist_state."""
    return context_vars.override(_persisting, True)


def is_persisting():
    """Return whether this thread is in Stack._persist_state."""
    return _persisting.get()
