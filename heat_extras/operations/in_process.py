# SPDX-License-Identifier: Apache-2.0

"""The operations that threads of this process work on.

The database has the engine of each operation. If a thread fails, for example
because the database is unavailable, the engine still lives, so no other engine
takes the operation over. The sweep of this engine finds it here. It then uses
what the thread could not write to the database.

Pure: does not import Heat.
"""

from collections import abc
import dataclasses
import threading


@dataclasses.dataclass
class Record:
    """The data of one operation in this process.

    :param is_held: whether a thread of this process works on it.
    :param passed: names of the lifecycle plugins that allowed it.
    :param failures: messages about errors of the post calls, or None before
        the post calls.
    """

    is_held: bool = False
    passed: tuple[str, ...] = ()
    failures: list[str] | None = None


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
        for operation_id, record in _records.copy().items():
            if not record.is_held and operation_id not in operation_ids:
                remove_record(operation_id)
