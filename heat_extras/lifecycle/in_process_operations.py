# SPDX-License-Identifier: Apache-2.0

"""The operations that threads of this process work on.

The database has the engine of each operation. If a thread had to leave its
operation, for example because the database could not be written, the engine
lives, and no other engine takes the operation over. The recovery of the same
engine does, and finds here what could not be written to the database.

A :class:`State` is for one Stack object. Heat makes such an object for every
request and every piece of work, so that it lives as long as its part of one
operation.
"""

from collections import abc
import dataclasses
import threading
import typing

from heat_extras.lifecycle import operation_table


@dataclasses.dataclass
class Record:
    """What this process knows of one operation.

    :param is_held: whether a thread of this process works on it.
    :param passed: names of the plugins that let it pass.
    :param persisted: those of them that the database knows, too.
    :param failures: what the post calls raised, in words; None before them.
    """

    is_held: bool = False
    passed: tuple[str, ...] = ()
    persisted: tuple[str, ...] = ()
    failures: list[str] | None = None

    @property
    def not_persisted(self) -> list[str]:
        """Return the names of those that only this process knows of."""
        return [name for name in self.passed if name not in self.persisted]


_ATTRIBUTE = 'heat_extras_lifecycle'

_PENDING = object()

_records: dict[str, Record] = {}
_lock = threading.Lock()


def record_of(operation_id: str) -> Record:
    """Return what is known of an operation: all that is set in it is kept.

    Of one that no thread of this process has begun, there is nothing to
    keep.
    """
    return _records.get(operation_id) or Record()


def acquire(operation_id: str) -> bool:
    """Begin to work on an operation in this thread.

    :returns: False when another thread of this process has it.
    """
    with _lock:
        record = _records.setdefault(operation_id, Record())
        if record.is_held:
            return False
        record.is_held = True
        return True


def release(operation_id: str) -> None:
    """Stop to work on an operation whose row is still there."""
    record_of(operation_id).is_held = False


def forget(operation_id: str) -> None:
    """Stop to work on an operation whose row is gone."""
    _records.pop(operation_id, None)


def retain_only(operation_ids: abc.Collection[str]) -> None:
    """Forget what no thread has in hand but those operations."""
    with _lock:
        for operation_id, record in list(_records.items()):
            if not record.is_held and operation_id not in operation_ids:
                del _records[operation_id]


@dataclasses.dataclass
class State:
    """What lifecycle keeps on a Stack object.

    :param notify: Heat's NotifyEvent, which tells the caller that the
        operation shows in the database.
    :param asked: the operation that plugins let pass while its caller
        waits, until it is taken by what begins it.
    :param allowed: the one that plugins let pass on the convergence engine,
        until Heat is at work.
    :param in_thread: the one that ends in the thread that began it.
    :param new_stack: what that one makes of the stack.
    :param is_denied: whether plugins denied one that ends in its thread.
    :param is_deleting: whether Heat is in Stack.delete.
    """

    notify: typing.Any = None
    asked: operation_table.Operation | None = None
    allowed: operation_table.Operation | None = None
    in_thread: operation_table.Operation | None = None
    new_stack: typing.Any = None
    is_denied: bool = False
    is_deleting: bool = False
    _stored: typing.Any = None

    def take(self, name: str) -> operation_table.Operation | None:
        """Return the operation of one field, once; else None."""
        operation = getattr(self, name)
        setattr(self, name, None)
        return operation

    def begin_in_thread(self, operation: operation_table.Operation,
                        new_stack: typing.Any) -> None:
        """Note that Heat is at work, in this thread."""
        self.in_thread, self.new_stack = operation, new_stack

    def await_store(self, operation: operation_table.Operation) -> None:
        """Note that Heat goes on, and first stores its new traversal."""
        self.allowed, self._stored = operation, _PENDING

    def note_stored(self, stored: typing.Any) -> None:
        """Note what Stack.store returned; the first one counts.

        :param stored: None where the row has another traversal by then.
        """
        if self._stored is _PENDING:
            self._stored = stored

    def mark_gone(self) -> None:
        """Note that the stack is gone, whatever was stored."""
        self._stored = None

    @property
    def is_overtaken(self) -> bool:
        """Return whether Heat could not store its new traversal."""
        return self._stored is None


def state_of(stack: typing.Any) -> State:
    """Return the state of a Stack object, a new one where it has none."""
    return vars(stack).setdefault(_ATTRIBUTE, State())
