# SPDX-License-Identifier: Apache-2.0

"""Members that a group has made for the batches of a rolling update.

A group that keeps a number of members in service grows for a while. What it
has made for that it removes at the end, and no policy keeps it: no template
asked for it. Where such an update fails, the next one removes what is left.
"""

from heat.engine.resources.openstack.heat import resource_group
from heat.engine import stack as heat_stack

from heat_extras.rollback import baseline
from heat_extras.rollback import operation as operations
from heat_extras.update_plan import stack_plan


def is_of_this_update(stack, row_id):
    """Return whether a resource came with the update that is in progress.

    :param stack: the nested stack that the resource is in.
    """
    if stack.owner_id is None:
        return False
    operation = operations.of(stack.context, stack.id)
    return operation.is_in_progress and _is_missing(baseline.read(
        stack.context, stack.id, baseline.RESOURCES, operation.update),
        row_id)


def is_left_over(plan, row):
    """Return whether a resource was left by an update that failed.

    It came with the last update of its stack, and the group around it does
    not ask for a member of that name.

    :param plan: the :class:`stack_plan.StackPlan` of its stack.
    """
    return plan.stack.owner_id is not None and _is_missing(
        baseline.last(plan.stack.context, plan.stack.id, baseline.RESOURCES),
        row.id) and row.name not in _asked_for(plan, row.name)


def _is_missing(kept, row_id):
    return kept is not None and str(row_id) not in kept['resources']


def _asked_for(plan, name):
    """Return the names of members that the group around a stack asks for.

    :returns: for another resource around it, the name that was given.
    """
    around, stack = plan.around, plan.stack
    if around is None:
        owner = heat_stack.Stack.load(stack.context, stack_id=stack.owner_id)
        around = stack_plan.StackPlan(owner, owner.t)
    group = around.current(stack.parent_resource_name)
    if not isinstance(group, resource_group.ResourceGroup):
        return {name}
    return set(group._resource_names())
