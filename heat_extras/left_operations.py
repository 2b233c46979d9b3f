# SPDX-License-Identifier: Apache-2.0

"""The operations that threads of this process work on, or have left behind.

The database has the engine of each operation, or a deadline, and an ID that no
later operation of the stack has. If a thread fails, for example because the
database is unavailable, the engine still lives, so no other engine takes the
operation over. An operation of this engine is lost if no thread works on it,
and an operation of another engine if that engine does not answer. At each
report of an engine, the sweep ends lost operations. It then also uses what the
thread could not write to the database.
"""

from collections import abc
import dataclasses
import functools
import threading

from heat.common import context as heat_context
from heat.common import service_utils
from oslo_log import log as logging

from heat_extras import gate


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


LOG = logging.getLogger(__name__)


class Sweep:
    """One check of the rows of all operations.

    :ivar service: the heat.engine.service.EngineService of this process.
    :ivar context: a context that can read every stack.
    """

    def __init__(self, service):
        self.service = service
        self.context = heat_context.RequestContext(is_admin=True)
        # An answer can take seconds, so ask each engine once.
        self.is_alive = functools.cache(self._is_alive)

    def _is_alive(self, engine_id):
        return engine_id == self.service.engine_id or (
            service_utils.engine_alive(self.context, engine_id))

    def is_lost(self, engine_id, operation_id):
        """Return whether no thread works on an operation of one engine.

        Read its row first, because an operation is registered in its process
        before its row is written.
        """
        if engine_id == self.service.engine_id:
            return not get_record(operation_id).is_held
        return not self.is_alive(engine_id)

    def end(self, what, step):
        """End the lost operations of one kind. Errors are only logged.

        Heat's own report and the other kinds must follow.

        :param what: the operations, for a message.
        :param step: a function of the sweep.
        """
        try:
            step(self)
        except Exception as error:
            LOG.error('heat-extras: the check for %(what)s failed. The engine '
                      'repeats it within [DEFAULT] periodic_interval: '
                      '%(error)s', {'what': what, 'error': error})


def run(service):
    """End the lost operations of all features.

    It is called within one ``periodic_interval``.

    :param service: the heat.engine.service.EngineService.
    """
    sweep = Sweep(service)
    for list_steps in gate.asked_at('sweep_steps'):
        for what, step in list_steps().items():
            sweep.end(what, step)
