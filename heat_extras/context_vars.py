# SPDX-License-Identifier: Apache-2.0

"""Values that hold for what a thread calls, and no longer.

Pure: nothing of Heat is imported.
"""

import collections.abc
import contextlib
import contextvars
import typing

Value = typing.TypeVar('Value')


@contextlib.contextmanager
def override(variable: contextvars.ContextVar, new: Value
             ) -> collections.abc.Iterator[Value]:
    """Let a context variable have a value, and then its former one again."""
    token = variable.set(new)
    try:
        yield new
    finally:
        variable.reset(token)
