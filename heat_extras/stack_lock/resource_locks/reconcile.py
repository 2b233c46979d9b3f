# SPDX-License-Identifier: Apache-2.0

"""What the services hold after an engine died over a lock or unlock.

The stacks are LOCK_FAILED or UNLOCK_FAILED then, and stay locked. Nobody is
there who asked for it, so the services are asked with the credentials that
Heat keeps for the stack; nothing is changed in them.
"""

import time

from heat.common import context as heat_context
from oslo_log import log as logging

from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock.resource_locks import words

LOG = logging.getLogger(__name__)

# Seconds before each look. A service that was slow may get to a request of
# the dead engine's after the first one.
_PAUSES = (0, 15)

# A request that the dead engine had sent can still come into force, so such
# a resource stays ours: unlock looks again.
_FREE = (states.LOCKING, words.NOT_REACHED)


def settle(root_id):
    """Bring the ledger of a tree to what the services say.

    A lock or unlock that begins meanwhile writes the ledger itself, and this
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
            (row, states.LOCKING, words.STOPPED)
            for row in before.values() if row.state == states.LOCKING])
        return
    protection_table.settle(context, root_id, [
        (before[resource.id],
         *(_FREE if state is None else (state, reason)))
        for resource, (state, reason) in found.results.items()
        if resource.id in before])
