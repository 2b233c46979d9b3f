# SPDX-License-Identifier: Apache-2.0

"""The operations that threads of this process work on.

The database has the engine of each operation. If a thread fails, for example
because the database is unavailable, the engine still lives, so no other engine
takes the operation over. The recovery of this engine continues it with the
records of this module, which could not be written to the database.

A :class:`StackState` belongs to one Stack object. Heat makes such an object
for every request and every task, so it exists during one part of an operation.
"""

from collections import abc
import dataclasses
import threading
import typing

from heat_extras.lifecycle import operation_table


@dataclasses.dataclass
class Record:
    """The data of one operation in this process.

    :param is_held: whether a thread of this process works on it.
    :param passed: names of the plugins that allowed it.
    :param failures: messages about errors of the post calls, or None before
        the post calls.
    """

    is_held: bool = False
    passed: tuple[str, ...] = ()
    failures: list[str] | None = None


_ATTRIBUTE = 'heat_extras_lifecycle'

_records: dict[str, Record] = {}
_lock = threading.Lock()


def get_record(operation_id: str) -> Record:
    """Return the record of an operation.

    For an operation that no thread of this process has started, it is a new
    record that is not stored.
    """
    return _records.get(operation_id) or Record()


def acquire(operation_id: str) -> bool:
    """Start to work on an operation in this thread.

    :returns: False if another thread of this process works on it.
    """
    with _lock:
        record = _records.setdefault(operation_id, Record())
        if record.is_held:
            return False
        record.is_held = True
        return True


def release(operation_id: str) -> None:
    """Stop to work on an operation whose row is still there."""
    get_record(operation_id).is_held = False


def remove_record(operation_id: str) -> None:
    """Stop to work on an operation whose row is gone."""
    _records.pop(operation_id, None)


def retain_only(operation_ids: abc.Collection[str]) -> None:
    """Remove all records except those of the given operations.

    Records that a thread works on are also kept.
    """
    with _lock:
        for operation_id, record in list(_records.items()):
            if not record.is_held and operation_id not in operation_ids:
                del _records[operation_id]


@dataclasses.dataclass
class StackState:
    """The state of lifecycle on a Stack object.

    :param notify: Heat's NotifyEvent, which signals to the caller that the
        operation is in the database.
    :param asked: an operation whose pre calls were made while its caller
        waits, until the operation starts.
    :param allowed: an operation that plugins allowed on the convergence
        engine, until Heat starts it.
    :param in_thread: an operation that ends in the thread that started it.
    :param new_stack: the new stack of the operation *in_thread*.
    :param is_denied: whether plugins denied an operation that ends in its
        thread.
    :param is_deleting: whether Heat is in Stack.delete.
    :param is_stored: whether Heat stored its new traversal, or None before
        that.
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
        """Return the operation of a field, and set the field to None."""
        operation = getattr(self, name)
        setattr(self, name, None)
        return operation


def get_state(stack: typing.Any) -> StackState:
    """Return the state of a Stack object. It is created if necessary."""
    return vars(stack).setdefault(_ATTRIBUTE, StackState())
