# SPDX-License-Identifier: Apache-2.0

"""How far the plugins are with the operation of one Stack object of Heat's.

Heat makes a new object for every request and for every piece of work, so
that this lives as long as its part of one operation. What other engines must
know is in the database instead, see :mod:`ledger`.
Pure: nothing of Heat is imported.
"""

import dataclasses
import typing

from heat_extras.lifecycle import operation as operations

_ATTRIBUTE = 'heat_extras_lifecycle'

_PENDING = object()


@dataclasses.dataclass
class State:
    """What lifecycle keeps on a Stack object.

    :param notify: Heat's NotifyEvent, which tells the caller that the
        operation shows in the database.
    :param beforehand: the operation that plugins let pass while its caller
        waits, until it is taken by what begins it.
    :param allowed: the one that plugins let pass on the convergence engine,
        until Heat is at work.
    :param in_thread: the one that ends in the thread that began it.
    :param new_stack: what that one makes of the stack.
    :param is_denied: whether plugins denied one that ends in its thread.
    :param is_deleting: whether Heat is in Stack.delete.
    """

    notify: typing.Any = None
    beforehand: operations.Operation | None = None
    allowed: operations.Operation | None = None
    in_thread: operations.Operation | None = None
    new_stack: typing.Any = None
    is_denied: bool = False
    is_deleting: bool = False
    _stored: typing.Any = None

    def take(self, name: str) -> operations.Operation | None:
        """Return the operation of one field, once; else None."""
        operation = getattr(self, name)
        setattr(self, name, None)
        return operation

    def begin_in_thread(self, operation: operations.Operation,
                        new_stack: typing.Any) -> None:
        """Note that Heat is at work, in this thread."""
        self.in_thread, self.new_stack = operation, new_stack

    def await_store(self, operation: operations.Operation) -> None:
        """Note that Heat goes on, and first stores its new traversal."""
        self.allowed, self._stored = operation, _PENDING

    def note_stored(self, stored: typing.Any) -> None:
        """Note what Stack.store returned; the first one counts.

        :param stored: None where the row has another traversal by then.
        """
        if self._stored is _PENDING:
            self._stored = stored

    def give_up(self) -> None:
        """Note that the stack is gone, whatever was stored."""
        self._stored = None

    @property
    def is_overtaken(self) -> bool:
        """Return whether Heat could not store its new traversal."""
        return self._stored is None


def of(stack: typing.Any) -> State:
    """Return the state of a Stack object, a new one where it has none."""
    return vars(stack).setdefault(_ATTRIBUTE, State())
