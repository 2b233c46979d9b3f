# SPDX-License-Identifier: Apache-2.0

"""Members that a group has made for the batches of a rolling update.

A group that keeps a number of members in service grows for a while. What it
has made for that it removes at the end, and no policy keeps it: no template
asked for it. Where such an update fails, the next one removes what is left.
"""

from heat.engine.resources.openstack.heat import resource_group
from heat.engine import stack as heat_stack
from heat.engine import template

from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import operation as operations
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
    not ask for a member of that name. A member that came with an update of
    its stack by its own id is not left over: that update asked for it.

    :param plan: the :class:`stack_plan.StackPlan` of its stack.
    """
    stack = plan.stack
    if stack.owner_id is None:
        return False
    kept = baseline.last(stack.context, stack.id, baseline.RESOURCES)
    return (_is_missing(kept, row.id) and kept.get('entry') != stack.id
            and row.name not in _asked_for(plan, row.name))


def _is_missing(kept, row_id):
    return kept is not None and str(row_id) not in kept['resources']


def _asked_for(plan, name):
    """Return the names of members that the group around a stack asks for.

    An update that failed may have asked for more than was applied.

    :returns: for another resource around it, the name that was given.
    """
    stack = plan.stack
    owner = (heat_stack.Stack.load(stack.context, stack_id=stack.owner_id)
             if plan.around is None else plan.around.stack)
    around = stack_plan.StackPlan(owner, _last_template(owner))
    group = around.current(stack.parent_resource_name)
    if not isinstance(group, resource_group.ResourceGroup):
        return {name}
    return {*group._resource_names(), *_names_of_last(around, group.name)}


def _names_of_last(around, name):
    if name not in around.new_names:
        return ()
    group = around.new(name)
    return (group._resource_names()
            if isinstance(group, resource_group.ResourceGroup) else ())


def _last_template(owner):
    if owner.convergence or owner.prev_raw_template_id is None:
        return owner.t
    # Stack.update_task keeps a copy of the one that an update brings.
    return template.Template.load(owner.context, owner.prev_raw_template_id)
