# SPDX-License-Identifier: Apache-2.0

"""Compare what the table of protections notes with what the services say.

After an engine died over a lock or unlock: the stacks are LOCK_FAILED or
UNLOCK_FAILED then, and stay locked. And when an operator verifies locks. The
services are asked with the credentials that Heat keeps for the stack; nothing
is changed in them.
"""

import time

from heat.common import context as heat_context
from oslo_log import log as logging

from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import states

LOG = logging.getLogger(__name__)

FREE = 'not_protected'
UNKNOWN = 'not_known'

_FOUND = {None: FREE, states.LOCKING: UNKNOWN, states.FAILED: UNKNOWN}
# Who else has locked something may have lifted that since.
_NOTED = (*states.KNOWN, states.FOUND)

# Seconds before each look. A service that was slow may get to a request of
# the dead engine's after the first one.
_PAUSES = (0, 15)

# A request that the dead engine had sent can still come into force, so such
# a resource stays ours: unlock looks again.
_FREE = (states.LOCKING,
         'the engine stopped over it, and it was not protected when another '
         'engine looked')


def settle(root_id):
    """Update the protection table of a tree from its services.

    A lock or unlock that begins meanwhile writes the table itself, and this
    leaves it alone.
    """
    for pause in _PAUSES:
        time.sleep(pause)
        _look(root_id)


def _look(root_id):
    context = heat_context.get_admin_context()
    before = protection_table.of_tree(context, root_id)
    try:
        found = lock_resources.inspect(context, root_id)
    except Exception:
        LOG.exception('Services could not be asked about stack %s', root_id)
        protection_table.settle(context, root_id, [
            (row, states.LOCKING, 'the engine stopped over it')
            for row in before.values() if row.state == states.LOCKING])
        return
    protection_table.settle(context, root_id, [
        (before[resource.id],
         *(_FREE if state is None else (state, reason)))
        for resource, (state, reason) in found.results.items()
        if resource.id in before])


def compare(root_id):
    """Ask the services about everything that was protected by a tree's lock.

    Or was found protected by somebody else then.

    :returns: a list of (stack name, stack id, resource name, type, physical
        id, what is noted, what was found, why).
    """
    context = heat_context.get_admin_context()
    rows = protection_table.of_tree(context, root_id)
    report = lock_resources.inspect(context, root_id, _NOTED)
    return sorted(
        (resource.stack.name, resource.stack.id, resource.name,
         resource.type(), resource.resource_id,
         states.shown(rows[resource.id].state),
         _FOUND.get(state, state), reason or '')
        for resource, (state, reason) in report.results.items()
        if resource.id in rows)
