# SPDX-License-Identifier: Apache-2.0

"""The locks and unlocks in progress that this process works on.

The database notes which engine has one. When that engine lives, and has none
of its threads at it, no other engine ends it: the answer to a commit can be
lost, so that the caller is told that nothing was begun, and its end can meet a
database that does not take it.
Pure: nothing of Heat is imported.
"""

import uuid
import weakref


class Operation:
    """One that is in progress; who works on it refers to this.

    That is not enough where somebody keeps what a thread was started with, as
    heat.engine.service.ThreadWithCallback does: so whose work is over leaves
    it as well.

    :ivar id: another one each time: the same engine can have begun the one
        before.
    """

    def __init__(self) -> None:
        self.id = str(uuid.uuid4())
        _held[self.id] = self

    def leave(self) -> None:
        """Work on it no more, whether or not its end was written."""
        _held.pop(self.id, None)


_held: weakref.WeakValueDictionary[str, Operation] = (
    weakref.WeakValueDictionary())


def begin(is_pending: bool) -> Operation | None:
    """Name an operation of which something is left to do, or none.

    Called before the database knows of it.
    """
    return Operation() if is_pending else None


def id_of(operation: Operation | None) -> str | None:
    """Return its id, None where nothing is left to do."""
    return None if operation is None else operation.id


def is_held(operation_id: str) -> bool:
    """Return whether this process works on an operation."""
    return operation_id in _held
