# SPDX-License-Identifier: Apache-2.0

"""The stacks of a preview: as they are, and as the update would make them."""

import contextlib
import contextvars

from heat_extras import context_vars

_stacks: contextvars.ContextVar[list | None] = contextvars.ContextVar(
    'heat_extras_previewed', default=None)


@contextlib.contextmanager
def collect():
    """Collect the stacks that are prepared for a preview in this thread.

    :returns: a context manager of a list, shared by all who collect: the
        stack as it is, and as it would be.
    """
    stacks: list = [] if (found := _stacks.get()) is None else found
    with context_vars.override(_stacks, stacks):
        yield stacks


def add(current, updated):
    """Keep the current and the updated stack, if this is a preview."""
    if (stacks := _stacks.get()) is not None:
        stacks[:] = current, updated
