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
class _Known:
    is_held: bool = True
    passed: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    failures: list[str] | None = None


_ATTRIBUTE = 'heat_extras_lifecycle'

_PENDING = object()

_known: dict[str, _Known] = {}
_lock = threading.Lock()


def acquire(operation_id: str) -> bool:
    """Begin to work on an operation in this thread.

    :returns: False when another thread of this process has it.
    """
    with _lock:
        known = _known.setdefault(operation_id, _Known(is_held=False))
        if known.is_held:
            return False
        known.is_held = True
        return True


def release(operation_id: str) -> None:
    """Stop to work on an operation whose row is still there."""
    with _lock:
        if operation_id in _known:
            _known[operation_id].is_held = False


def forget(operation_id: str) -> None:
    """Stop to work on an operation whose row is gone."""
    with _lock:
        _known.pop(operation_id, None)


def is_held(operation_id: str) -> bool:
    """Return whether a thread of this process works on an operation."""
    with _lock:
        return operation_id in _known and _known[operation_id].is_held


def retain_only(operation_ids: abc.Collection[str]) -> None:
    """Forget what no thread has in hand but those operations."""
    with _lock:
        for operation_id, known in list(_known.items()):
            if not known.is_held and operation_id not in operation_ids:
                del _known[operation_id]


def record_passed(operation_id: str, names: abc.Iterable[str]) -> None:
    """Remember which plugins let an operation pass."""
    with _lock:
        if operation_id in _known:
            _known[operation_id].passed = tuple(names)


def record_persisted(operation_id: str, names: abc.Iterable[str]) -> None:
    """Remember of which of them the database knows."""
    with _lock:
        if operation_id in _known:
            _known[operation_id].noted = tuple(names)


def not_persisted(operation_id: str) -> tuple[str, ...]:
    """Return the names of those that only this process knows of."""
    with _lock:
        known = _known.get(operation_id)
        return tuple(name for name in known.passed
                     if name not in known.noted) if known else ()


def all_passed(operation: operation_table.Operation) -> tuple[str, ...]:
    """Return the names of all plugins known to have let it pass."""
    with _lock:
        known = _known.get(operation.id)
        more = known.passed if known else ()
    return operation.passed + tuple(
        name for name in more if name not in operation.passed)


def record_post_calls(operation_id: str, failures: list[str]) -> None:
    """Remember that all plugins were told of the end of an operation.

    :param failures: what they raised, in words.
    """
    with _lock:
        if operation_id in _known:
            _known[operation_id].failures = failures


def post_call_failures(operation_id: str) -> list[str] | None:
    """Return what they raised when this process told them, or None."""
    with _lock:
        known = _known.get(operation_id)
        return known.failures if known else None


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
