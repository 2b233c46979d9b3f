# SPDX-License-Identifier: Apache-2.0

"""The policies that a nested stack stands under.

Whichever stack an update enters by, it is held to what the resources around
it say: the nested-stack resource in the parent, the parent's own, and so on
up to the root.
"""

import collections
import dataclasses

from heat.engine import stack as heat_stack
from heat.engine import template
from heat.objects import resource as resource_object

from heat_extras.update_plan import stack_plan
from heat_extras.update_policy import allow
from heat_extras.update_policy import rules
from heat_extras.update_policy import summary
from heat_extras.update_policy import undo as undoing

_REMEMBERED = 1000


@dataclasses.dataclass(frozen=True)
class Above:
    """What holds for a stack because of where it is nested.

    :param policy: a :class:`rules.Policy`.
    :param path: the names of the resources around it, root first.
    """

    policy: rules.Policy = rules.FREE
    path: tuple = ()

    def under(self, name, policy):
        """Return what holds inside a resource of the stack.

        :param policy: of the resource.
        """
        return Above(policy, (*self.path, name))

    def of(self, name, definition):
        """Return the policy of a resource of the stack."""
        return self.holding(name, allow.of(definition))

    def holding(self, name, said):
        """Return the same for what the template says of a resource."""
        return rules.restrict(self.policy, said, self.name_of(name))

    def name_of(self, name):
        return '/'.join((*self.path, name))


ROOT = Above()

# By stack and traversal: a new update of a parent gives its nested stacks
# new traversals.
_known = collections.OrderedDict()


def of(stack):
    """Return what holds for a stack, remembered for one operation.

    Costs nothing for a root stack, and for trees without any policy.
    """
    if not _is_nested_in_guarded(stack):
        return ROOT
    if not (stack.convergence and stack.current_traversal):
        if not hasattr(stack, 'heat_extras_above'):
            stack.heat_extras_above = look(stack)
        return stack.heat_extras_above
    key = (stack.id, stack.current_traversal)
    if key not in _known:
        _known[key] = look(stack)
        while len(_known) > _REMEMBERED:
            _known.popitem(last=False)
    return _known[key]


def look(stack):
    """Return what holds for a stack, from the stacks around it as they are.

    :returns: an :class:`Above`.
    """
    if not _is_nested_in_guarded(stack):
        return ROOT
    owner = heat_stack.Stack.load(stack.context, stack_id=stack.owner_id)
    name = stack.parent_resource_name
    definition = definitions(owner).get(name) or _applied(owner, stack)
    if definition is None:
        # The parent resource is being removed, and this stack with it.
        return ROOT
    above, said = look(owner), allow.of(definition)
    undo = undoing.of(owner)
    if undo is not None:
        said = rules.both(said, undo.allow_around(stack.id))
    return above.under(name, above.holding(name, said))


def _applied(owner, stack):
    # Of a resource that is still there though an update was to remove it.
    rows = resource_object.Resource.get_all_active_by_stack(owner.context,
                                                            owner.id)
    level = stack_plan.StackPlan(owner, owner.t)
    return next((level.definition_of(row) for row in rows.values()
                 if row.physical_resource_id == stack.id
                 and row.action != 'DELETE'), None)


def _is_nested_in_guarded(stack):
    return (stack.owner_id is not None and summary.is_loaded(stack)
            and summary.of(stack) is not False)


def definitions(owner):
    """Return what the template of a stack says of its resources, by name."""
    if _is_in_update_task(owner):
        # It changes the template resource by resource, and keeps a copy of
        # the new one.
        new = template.Template.load(owner.context,
                                     owner.prev_raw_template_id)
        owner.defn = owner.defn.clone_with_new_template(
            new, owner.identifier())
    return {name: owner.defn.resource_definition(name)
            for name in owner.defn.enabled_rsrc_names()}


def _is_in_update_task(stack):
    # Of the legacy engine. One whose create is rolled back has no copy, and
    # a suspend leaves alone what a failed update kept.
    return (not stack.convergence and stack.status == stack.IN_PROGRESS
            and stack.action in (stack.UPDATE, stack.RESTORE, stack.ROLLBACK)
            and stack.prev_raw_template_id is not None)
