# SPDX-License-Identifier: Apache-2.0

"""The request to change a resource's health that this thread works on.

Heat's own method loads the stack, takes the lock and writes the state; the
wrappers along its way ask here whether it is at it, and for whom.
"""

import contextvars
import dataclasses

from heat_extras import context_vars

_current = contextvars.ContextVar('heat_extras_marking', default=None)


@dataclasses.dataclass
class Request:
    """What was asked for, and what there is to say about it.

    :param warnings: texts for the answer.
    """

    is_mark: bool
    is_forced: bool = False
    warnings: list = dataclasses.field(default_factory=list)

    def answer(self, resource_name):
        """Make the body of the answer: null, as Heat's, without warnings."""
        if not self.warnings:
            return None
        return {'mark_unhealthy': {'resource_name': resource_name,
                                   'warnings': self.warnings}}


def under_way(request):
    """Say that *request* is being worked on in this thread."""
    return context_vars.override(_current, request)


def current():
    """Return the request under way in this thread, or None."""
    return _current.get()
