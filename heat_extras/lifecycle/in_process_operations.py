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
    :param failures: what the post calls raised, in words; None before them.
    """

    is_held: bool = False
    passed: tuple[str, ...] = ()
    failures: list[str] | None = None


_ATTRIBUTE = 'heat_extras_lifecycle'

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
    :param is_stored: whether Heat could store its new traversal; None until
        it tries.
    """

    notify: typing.Any = None
    asked: operation_table.Operation | None = None
    allowed: operation_table.Operation | None = None
    in_thread: operation_table.Operation | None = None
    new_stack: typing.Any = None
    is_denied: bool = False
    is_deleting: bool = False
    is_stored: bool | None = True

    def take(self, name: str) -> operation_table.Operation | None:
        """Return the operation of one field, once; else None."""
        operation = getattr(self, name)
        setattr(self, name, None)
        return operation


def state_of(stack: typing.Any) -> State:
    """Return the state of a Stack object, a new one where it has none."""
    return vars(stack).setdefault(_ATTRIBUTE, State())
