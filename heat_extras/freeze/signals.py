# SPDX-License-Identifier: Apache-2.0

"""Accept, ignore and count signals during a freeze.

Signals of agents in servers, and signals that clear a hook, are not ignored.
"""

from oslo_log import log as logging

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.heat_internals import agent_signals
from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras import sanitize

LOG = logging.getLogger(__name__)


def record_window(resource):
    """Record with a resource the window because of which to ignore its signal.

    Another thread processes the signal.

    :returns: whether there is such a window.
    """
    request = rpc_request.current()
    is_free = request is None or agent_signals.is_signaled_by_agents(resource)
    window = None if is_free else next(iter(request.ignored_by), None)
    object_data.of_resource(resource).frozen_by = window
    return window is not None


def signal(resource, details, proceed):
    """Deliver a signal, or ignore it during a freeze.

    :param proceed: delivers the signal.
    """
    window = object_data.of_resource(resource).frozen_by
    if window is None or agent_signals.clears_hook(details):
        return proceed()
    stack = resource.stack
    LOG.info(
        'Signal to %(resource)s of stack %(stack)s (%(id)s) ignored: freeze '
        '"%(freeze)s" is in effect',
        {'resource': sanitize.printable(resource.name), 'stack': stack.name,
         'id': stack.id, 'freeze': window.name})
    counting.count_event(stack.id, counters.FROZEN_SIGNAL, window.name,
                         resource.context)
    return False
