# SPDX-License-Identifier: Apache-2.0

"""The policies around a nested stack, and the protected resources inside.

Whichever stack an update enters by, it is held to what the resources around
it say: the nested-stack resource in the parent, the parent's own, and so on
up to the root.
"""

import dataclasses

from heat.engine.resources import stack_resource
from heat.engine import stack as heat_stack
from heat.engine import template
from heat.objects import resource as resource_object

from heat_extras.update_plan import resource_rows
from heat_extras.update_plan import stack_plan
from heat_extras.update_policy import allow
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import rollback_check
from heat_extras.update_policy import rules


@dataclasses.dataclass(frozen=True)
class InheritedPolicy:
    """The policy of a stack because of where it is nested.

    :param policy: a :class:`rules.Policy`.
    :param path: the names of the resources around it, root first.
    """

    policy: rules.Policy = rules.UNRESTRICTED
    path: tuple = ()

    def under(self, name, policy):
        """Return the same for the inside of a resource of the stack.

        :param policy: of the resource.
        """
        return InheritedPolicy(policy, (*self.path, name))

    def restrict(self, name, said):
        """Return the policy of a resource of the stack.

        :param said: the :class:`rules.Allow` of the resource.
        """
        return rules.restrict_policy(self.policy, said, self.path_of(name))

    def path_of(self, name):
        return '/'.join((*self.path, name))


ROOT = InheritedPolicy()


def compute_policy(stack, is_removed=False):
    """Return the :class:`InheritedPolicy`, from the stacks as they are.

    Costs nothing for a root stack, and for trees without any policy.

    :param is_removed: whether the stack is to be removed. If a condition has
        disabled the resource around it, its template says whether it may be.
    """
    if not _is_nested_in_guarded(stack):
        return ROOT
    owner = heat_stack.Stack.load(stack.context, stack_id=stack.owner_id)
    name = stack.parent_resource_name
    definition = list_definitions(owner).get(name)
    applied = definition or _find_applied_definition(owner, stack)
    if applied is None:
        # The parent resource is being removed, and this stack with it.
        return ROOT
    inherited = compute_policy(owner, is_removed)
    said = (allow.read_allow_of_removed(applied, owner.defn)
            if is_removed and definition is None
            else allow.read_allow(applied))
    said = rules.combine_allow(
        said, rollback_check.find_baseline(owner).allow_around(stack.id))
    return inherited.under(name, inherited.restrict(name, said))


def _find_applied_definition(owner, stack):
    # Of a resource that is still there though an update was to remove it.
    rows = resource_object.Resource.get_all_active_by_stack(owner.context,
                                                            owner.id)
    plan = stack_plan.StackPlan(owner, owner.t)
    return next((plan.definition_of(row) for row in rows.values()
                 if row.physical_resource_id == stack.id
                 and row.action != 'DELETE'), None)


def _is_nested_in_guarded(stack):
    return (stack.owner_id is not None and policy_flag.is_loaded(stack)
            and policy_flag.get_flag(stack) is not False)


def list_definitions(owner):
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


def find_guarded(context, stack_id, path, baseline=rollback_check.UPDATE):
    """Find a resource in a stack that must not be destroyed by an update.

    What was last applied is enforced: the new template does not have it. For
    a rollback that is what was said before the failed update.

    :param path: the path of the nested-stack resource.
    :param baseline: of the stack around it.
    :returns: the path of the first one, or None.
    """
    pending = [(stack_id, path)]
    while pending:
        stack_id, path = pending.pop(0)
        stack = stack_plan.load(context, stack_id)
        plan = stack_plan.StackPlan(stack, stack.t)
        here = baseline.nested(stack_id)
        for name in plan.existing_names():
            definition = plan.current_definition(name)
            row = plan.rows[name]
            if (definition is None or resource_rows.row_was_never_created(row)
                    or here.is_new(row.id)):
                continue
            if here.allow_before(row.id, definition).replace is False:
                return f'{path}/{name}'
            if plan.is_nested(name) and not here.is_nested_stack_new(row):
                pending.append((row.physical_resource_id, f'{path}/{name}'))
    return None


def find_guarded_in(resource, path, baseline=rollback_check.UPDATE):
    """Find a protected resource inside a resource of any type."""
    if (not isinstance(resource, stack_resource.StackResource)
            or resource.resource_id is None):
        return None
    return find_guarded(resource.context, resource.resource_id, path,
                        baseline)
