# SPDX-License-Identifier: Apache-2.0

"""Compare what the ledger notes with what the services say."""

from heat.common import context as heat_context

from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import states

FREE = 'not_protected'
UNKNOWN = 'not_known'

_FOUND = {None: FREE, states.LOCKING: UNKNOWN, states.FAILED: UNKNOWN}
# Who else has locked something may have lifted that since.
_NOTED = (*states.KNOWN, states.FOUND)


def of_tree(root_id):
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
