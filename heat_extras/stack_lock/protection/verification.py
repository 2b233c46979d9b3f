# SPDX-License-Identifier: Apache-2.0

"""Compare what the ledger notes with what the services say."""

from heat.common import context as heat_context

from heat_extras.stack_lock.protection import ownership
from heat_extras.stack_lock.protection import protecting
from heat_extras.stack_lock.protection import states

FREE = 'not_protected'
UNKNOWN = 'not_known'

_FOUND = {None: FREE, states.LOCKING: UNKNOWN}


def of_tree(root_id):
    """Ask the services about everything that a tree's lock protects.

    :returns: a list of (stack name, stack id, resource name, type, physical
        id, what is noted, what was found, why).
    """
    context = heat_context.get_admin_context()
    rows = ownership.of_tree(context, root_id)
    report = protecting.inspect(context, root_id)
    return sorted(
        (resource.stack.name, resource.stack.id, resource.name,
         resource.type(), resource.resource_id,
         states.shown(rows[resource.id].state),
         _FOUND.get(state, state), reason or '')
        for resource, (state, reason) in report.results.items()
        if resource.id in rows)
