# SPDX-License-Identifier: Apache-2.0

"""End what engines have left behind, at each report of an engine.

Each operation that an engine can leave behind has a row with the engine or a
deadline, and with an ID that no later operation of the stack has. An operation
of this engine is lost if no thread works on it. An operation of another engine
is lost if that engine does not answer.
"""

import functools

from heat.common import context as heat_context
from heat.common import service_utils
from oslo_log import log as logging

from heat_extras import gate
from heat_extras.operations import in_process

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
            return not in_process.get_record(operation_id).is_held
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
