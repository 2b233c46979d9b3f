# SPDX-License-Identifier: Apache-2.0

"""Values of context variables for the duration of a ``with`` block.

Pure: does not import Heat.
"""

import collections.abc
import contextlib
import contextvars
import typing

Value = typing.TypeVar('Value')


@contextlib.contextmanager
def override(variable: contextvars.ContextVar, new: Value
             ) -> collections.abc.Iterator[Value]:
    """Set a context variable, and restore its former value at the end."""
    token = variable.set(new)
    try:
        yield new
    finally:
        variable.reset(token)
