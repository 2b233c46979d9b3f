# SPDX-License-Identifier: Apache-2.0

"""Whether this thread works out how many members a group comes to have.

Heat leaves out members that failed wherever it counts; a feature that counts
them for a new size only asks here.
"""

import contextvars

from heat_extras import context_vars

_is_under_way = contextvars.ContextVar('heat_extras_resizing', default=False)


def under_way():
    """Say that a group works out its new size."""
    return context_vars.override(_is_under_way, True)


def is_under_way():
    """Return whether one does."""
    return _is_under_way.get()
