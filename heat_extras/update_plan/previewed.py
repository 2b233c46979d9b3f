# SPDX-License-Identifier: Apache-2.0

"""The current and the updated stack of a preview."""

import contextlib
import contextvars

from heat_extras import context_vars

_stacks: contextvars.ContextVar[list | None] = contextvars.ContextVar(
    'heat_extras_previewed', default=None)


@contextlib.contextmanager
def collect_stacks():
    """Collect the stacks that are prepared for a preview in this thread.

    :returns: a context manager of a list: the current stack and the updated
        stack. Nested calls share the list.
    """
    stacks: list = [] if (outer := _stacks.get()) is None else outer
    with context_vars.override(_stacks, stacks):
        yield stacks


def add_stacks(current, updated):
    """Keep the current and the updated stack if this is a preview."""
    if (stacks := _stacks.get()) is not None:
        stacks[:] = current, updated


def is_preview():
    """Return whether this thread prepares a preview."""
    return _stacks.get() is not None
