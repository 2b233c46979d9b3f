# SPDX-License-Identifier: Apache-2.0

"""Signals that a freeze makes ineffective: they are accepted and counted.

Those of agents in servers pass, and so do those that let a hook go.
"""

from oslo_log import log as logging

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.freeze import rpc_check
from heat_extras.heat_internals import agent_signals
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

_WINDOW = 'heat_extras_frozen_by'


def note(resource):
    """Keep with a resource which window its signal meets.

    The signal itself has its turn in another thread.

    :returns: whether one does.
    """
    found = None if agent_signals.is_signaled_by_agents(resource) else next(
        iter(rpc_check.ignoring()), None)
    setattr(resource, _WINDOW, found)
    return found is not None


def signal(resource, original, details, need_check):
    """Do what Resource.signal does, if no freeze is in the way.

    :param original: Heat's own, bound.
    """
    window = getattr(resource, _WINDOW, None)
    if window is None or agent_signals.clears_hook(details):
        return original(details, need_check)
    stack = resource.stack
    LOG.info(
        'Signal to %(resource)s of stack %(stack)s (%(id)s) ignored: '
        'frozen by %(freeze)s',
        {'resource': sanitize.printable(resource.name), 'stack': stack.name,
         'id': stack.id, 'freeze': window.name})
    counting.count_event(stack.id, counters.FROZEN_SIGNAL, window.name,
                         resource.context)
    return False
