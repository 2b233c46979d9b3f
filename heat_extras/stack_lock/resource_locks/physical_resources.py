# SPDX-License-Identifier: Apache-2.0

"""The physical resources of a tree: each one that its stacks still have.

Not only what ``Stack.resources`` has, one resource for each name in the
stack's template. An update that failed leaves what it has replaced or removed
behind, under the template that it was made from; Heat deletes it with the
next update. A legacy stack has such resources in its backup stack, which is
in the tree like any nested one.
"""

import dataclasses

from heat.engine.resources import stack_resource
from heat.engine import stack as heat_stack
from heat.objects import resource as resource_object


@dataclasses.dataclass
class Physical:
    """What was loaded.

    :param resources: of heat.engine.resource.Resource.
    :param stacks: the stacks of the resources, and the definitions that these
        were made from: they hold both by weak references only
        (heat.engine.resource.Resource.load).
    """

    resources: list
    stacks: list


def load(context, stack_ids, **how):
    """Load all physical resources of some stacks.

    What is nested is left out: it is locked as a stack.

    :param how: more arguments of heat.engine.stack.Stack.load.
    """
    found = Physical([], [])
    for stack_id in stack_ids:
        stack = heat_stack.Stack.load(context, stack_id=stack_id, **how)
        definitions = {}
        found.stacks += [stack, definitions]
        found.resources += _resources(stack, definitions)
    return found


def _resources(stack, definitions):
    rows = resource_object.Resource.get_all_active_by_stack(
        stack.context, stack.id)
    for id in sorted(rows):
        if rows[id].physical_resource_id is None:
            continue
        resource = stack._resource_from_db_resource(rows[id], definitions)
        if (resource is not None
                and not isinstance(resource, stack_resource.StackResource)):
            yield resource
