# SPDX-License-Identifier: Apache-2.0

"""How the statements of Heat that this thread executes differ from Heat's.

Heat's functions between a check and its statement have fixed arguments, so the
options are set for the duration of a block.
"""

import contextvars
import dataclasses
import typing

from heat_extras import rpc_request


@dataclasses.dataclass(frozen=True)
class WriteOptions:
    """The options of the statements in a block.

    :param is_persisting: whether this is Stack._persist_state, which writes
        the state of an operation that starts or ends.
    :param is_only_unlocked: whether bulk updates change only the rows of
        unlocked stacks.
    :param criteria: additional criteria of the UPDATE of a stack.
    :param adds_tag_to: the ID of the root whose next UPDATE also writes the
        tag that protects from deletion.
    :param stores_tags_of: the root that an operation of the convergence engine
        stores.
    """

    is_persisting: bool = False
    is_only_unlocked: bool = False
    criteria: tuple = ()
    adds_tag_to: str | None = None
    stores_tags_of: typing.Any = None


_UNCHANGED = WriteOptions()

_current = contextvars.ContextVar('heat_extras_write_options',
                                  default=_UNCHANGED)


def current() -> WriteOptions:
    """Return the options of this thread."""
    return _current.get()


def changed(**options: typing.Any) -> typing.Any:
    """Change options of this thread, as a context manager."""
    return rpc_request.override(
        _current, dataclasses.replace(_current.get(), **options))


def is_persisting() -> bool:
    """Return whether this thread is in Stack._persist_state."""
    return _current.get().is_persisting
