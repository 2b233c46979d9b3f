# SPDX-License-Identifier: Apache-2.0

"""Accept, ignore and count signals during a freeze.

Signals of agents in servers, and signals that clear a hook, are not ignored.
"""

from oslo_log import log as logging

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.freeze import rpc_check
from heat_extras.heat_internals import agent_signals
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

_WINDOW = 'heat_extras_frozen_by'


def record_window(resource):
    """Record with a resource the window because of which to ignore its signal.

    Another thread processes the signal.

    :returns: whether there is such a window.
    """
    window = None if agent_signals.is_signaled_by_agents(resource) else next(
        iter(rpc_check.windows_ignoring_signal()), None)
    setattr(resource, _WINDOW, window)
    return window is not None


def signal(resource, original, details, need_check):
    """Call Resource.signal, or ignore the signal during a freeze.

    :param original: Heat's own method, bound.
    """
    window = getattr(resource, _WINDOW, None)
    if window is None or agent_signals.clears_hook(details):
        return original(details, need_check)
    stack = resource.stack
    LOG.info(
        'Signal to %(resource)s of stack %(stack)s (%(id)s) ignored: freeze '
        '"%(freeze)s" is in effect',
        {'resource': sanitize.printable(resource.name), 'stack': stack.name,
         'id': stack.id, 'freeze': window.name})
    counting.count_event(stack.id, counters.FROZEN_SIGNAL, window.name,
                         resource.context)
    return False
