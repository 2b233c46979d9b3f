# SPDX-License-Identifier: Apache-2.0

"""Find the changes of an update of a stack tree that a policy forbids.

Only changes that are certain are violations. :mod:`resource_check` checks the
other changes.
"""

import dataclasses

from oslo_log import log as logging

from heat_extras.heat_internals import resource_rows
from heat_extras.plan import change
from heat_extras.plan import nested_plan
from heat_extras.update_policy import allow
from heat_extras.update_policy import inherited_policy
from heat_extras.update_policy import messages
from heat_extras.update_policy import rollback_check
from heat_extras.update_policy import rules

LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Violation:
    """One resource whose change a policy forbids.

    :param path: of the resource, from the root stack.
    :param act: the change, or None if two policies contradict each other.
    :param plan: the :mod:`heat_extras.plan.stack_plan` of its stack, or
        None for the nested stack of the update itself.
    :param is_allowed_at_once: whether a template of the same update can allow
        it. For a resource that the update destroys, the previous policy
        counts.
    """

    text: str
    path: str
    act: str | None
    plan: object = dataclasses.field(default=None, compare=False, repr=False)
    is_allowed_at_once: bool = True

    @property
    def name(self):
        """The name of the resource in its stack."""
        return self.path.rpartition('/')[2]

    @property
    def is_marked(self):
        """Whether the resource is marked as unhealthy."""
        row = self.plan.rows.get(self.name) if self.plan else None
        return row is not None and resource_rows.is_marked(row)


def find_in_stack(plan, inherited, baseline=rollback_check.UPDATE):
    """List the policies that forbid changing a stack's template or inputs.

    :param plan: the :mod:`heat_extras.plan.stack_plan` of the stack.
    :param inherited: its :class:`inherited_policy.InheritedPolicy`.
    :param baseline: its :class:`rollback_check.Baseline`.
    """
    if (inherited.policy.update is None
            or nested_plan.predict_content(plan) != change.Change(
                change.UPDATE)
            or baseline.restores_stack(plan.planned.defn)):
        return []
    path = '/'.join(inherited.path)
    return [Violation(
        messages.describe_forbidden(path, messages.NESTED_STACK, change.UPDATE,
                                    inherited.policy.update),
        path, change.UPDATE)]


def find_in_resources(plan, inherited, acts=tuple(rules.DECIDING_KEYS)):
    """Yield the violations in one stack, and in those nested in it.

    :param acts: the acts that are checked. If the nested stack itself may be
        destroyed, only the destruction of its resources is certain.
    """
    for name in sorted(plan.new_names):
        yield from _find_conflicts(plan, inherited, name)
    for name in plan.existing_names():
        try:
            yield from _find_in_resource(plan, inherited, name, acts)
        except Exception:
            LOG.exception('The effect of the update on resource %s cannot be '
                          'predicted', inherited.path_of(name))


def _find_conflicts(plan, inherited, name):
    if not plan.is_enabled_for_certain(name):
        return
    allowed = allow.read_planned_allow(plan, name)
    for key in rules.find_conflicts(inherited.policy, allowed):
        yield Violation(
            messages.describe_conflict(inherited.path_of(name), key,
                                       getattr(inherited.policy, key)),
            inherited.path_of(name), None, plan)


def _find_in_resource(plan, inherited, name, acts):
    before = plan.current_definition(name)
    if before is None:
        return
    definition = (plan.new_definition(name) if name in plan.new_names
                  else before)
    is_written = allow.is_in_template(plan.planned.t, name)
    policy = inherited.restrict(name, (
        allow.read_planned_allow(plan, name) if is_written
        else allow.read_allow(before, plan.planned)))
    is_nested = plan.is_nested(name)
    if policy.is_free and not is_nested:
        return
    planned = plan.predict(name)
    if (resource_rows.row_was_never_created(plan.rows[name])
            and not plan.has_predecessor(name)):
        # No data is lost if Heat creates it again or removes it.
        planned = change.Change()
    by = (policy.forbids(planned.action)
          if planned.is_certain and planned.action in acts else None)
    if planned.may_replace and policy.replace is None:
        # It can become a replacement, which is allowed.
        by = None
    if by is not None:
        yield Violation(
            messages.describe_forbidden(
                inherited.path_of(name), definition.resource_type,
                planned.action, by, planned.reason),
            inherited.path_of(name), planned.action, plan,
            is_written or allow.read_allow(definition).replace is not False)
    elif is_nested:
        yield from _find_inside(plan, inherited.under(name, policy), name,
                                planned, acts)


def _find_inside(plan, inherited, name, planned, acts):
    if planned.destroys:
        yield from _find_guarded_inside(plan, inherited, name, planned)
    elif name in plan.new_names:
        yield from find_in_resources(
            plan.child(name), inherited,
            acts if planned.keeps_id else change.DESTRUCTIVE)


def _find_guarded_inside(plan, inherited, name, planned):
    path = '/'.join(inherited.path)
    guarded = inherited_policy.find_guarded(
        plan.stack.context, plan.rows[name].physical_resource_id, path)
    if guarded is not None:
        kind = plan.current_definition(name).resource_type
        yield Violation(
            messages.describe_guarded_inside(path, kind, planned.action,
                                             guarded),
            path, planned.action, plan, is_allowed_at_once=False)
