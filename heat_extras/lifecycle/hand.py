# SPDX-License-Identifier: Apache-2.0

"""The operations that threads of this process have in hand.

The database notes which engine has an operation. When a thread of that
engine had to leave it, since the database could not be written for example,
the engine lives on and no other one takes it over: the recovery of the same
engine does, and knows from here what the database could not be told.
Pure: nothing of Heat is imported.
"""

from collections import abc
import dataclasses
import threading

from heat_extras.lifecycle import operation as operations


@dataclasses.dataclass
class _Known:
    is_held: bool = True
    passed: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    failures: list[str] | None = None


_known: dict[str, _Known] = {}
_lock = threading.Lock()


def take(operation_id: str) -> bool:
    """Begin to work on an operation in this thread.

    :returns: False when another thread of this process has it.
    """
    with _lock:
        known = _known.setdefault(operation_id, _Known(is_held=False))
        if known.is_held:
            return False
        known.is_held = True
        return True


def leave(operation_id: str) -> None:
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


def keep(operation_ids: abc.Collection[str]) -> None:
    """Forget what no thread has in hand but those operations."""
    with _lock:
        for operation_id, known in list(_known.items()):
            if not known.is_held and operation_id not in operation_ids:
                del _known[operation_id]


def note_passed(operation_id: str, names: abc.Iterable[str]) -> None:
    """Remember which plugins let an operation pass."""
    with _lock:
        if operation_id in _known:
            _known[operation_id].passed = tuple(names)


def note_noted(operation_id: str, names: abc.Iterable[str]) -> None:
    """Remember of which of them the database knows."""
    with _lock:
        if operation_id in _known:
            _known[operation_id].noted = tuple(names)


def unnoted(operation_id: str) -> tuple[str, ...]:
    """Return the names of those that only this process knows of."""
    with _lock:
        known = _known.get(operation_id)
        return tuple(name for name in known.passed
                     if name not in known.noted) if known else ()


def passed(operation: operations.Operation) -> tuple[str, ...]:
    """Return the names of all plugins known to have let it pass."""
    with _lock:
        known = _known.get(operation.id)
        more = known.passed if known else ()
    return operation.passed + tuple(
        name for name in more if name not in operation.passed)


def note_told(operation_id: str, failures: list[str]) -> None:
    """Remember that all plugins were told of the end of an operation.

    :param failures: what they raised, in words.
    """
    with _lock:
        if operation_id in _known:
            _known[operation_id].failures = failures


def told(operation_id: str) -> list[str] | None:
    """Return what they raised when this process told them, or None."""
    with _lock:
        known = _known.get(operation_id)
        return known.failures if known else None
