# SPDX-License-Identifier: Apache-2.0

"""Reject an update before it starts, so that the stack stays usable.

The preview of an update lists the same violations as ``restricted``. Only
changes that are certain are violations. :mod:`resource_check` checks the other
changes.
"""

import copy
import dataclasses

from heat.common import exception
from heat.engine import api
from heat.objects import raw_template
from heat.objects import resource as resource_object
from oslo_log import log as logging

from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import transactions
from heat_extras import guard
from heat_extras.heat_internals import final_status
from heat_extras.heat_internals import object_data
from heat_extras.heat_internals import resource_rows
from heat_extras.plan import change
from heat_extras.plan import nested_plan
from heat_extras.plan import stack_plan
from heat_extras.update_policy import allow
from heat_extras.update_policy import errors
from heat_extras.update_policy import inherited_policy
from heat_extras.update_policy import policy_flag
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
    :param protection: the :class:`guard.ResourceProtection` that forbids the
        change in place of a policy, or None.
    """

    text: str
    path: str
    act: str | None
    plan: object = dataclasses.field(default=None, compare=False, repr=False)
    is_allowed_at_once: bool = True
    protection: guard.ResourceProtection | None = None

    @property
    def advice(self):
        """The text, with the remedy if no template can allow the change."""
        return (self.text if self.protection is None else
                f'{self.text}. {rules.how_to_allow(self.protection)}')

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
        rules.describe_forbidden(path, rules.NESTED_STACK, change.UPDATE,
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
            rules.describe_conflict(inherited.path_of(name), key,
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
    row, own_acts = plan.rows[name], acts
    if (resource_rows.row_was_never_created(row)
            and not plan.has_predecessor(name)):
        if is_nested and row.physical_resource_id:
            # Some of the resources inside can be complete.
            own_acts = change.DESTRUCTIVE
        else:
            # No data is lost if Heat creates it again or removes it.
            planned = change.Change()
    by = (policy.forbids(planned.action)
          if planned.is_certain and planned.action in own_acts else None)
    if planned.may_replace and policy.replace is None:
        # It can become a replacement, which is allowed.
        by = None
    if by is not None:
        yield Violation(
            rules.describe_forbidden(
                inherited.path_of(name), definition.resource_type,
                planned.action, by, planned.reason),
            inherited.path_of(name), planned.action, plan,
            is_written or allow.read_allow(definition).replace is not False,
            by if isinstance(by, guard.ResourceProtection) else None)
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
            rules.describe_guarded_inside(path, kind, planned.action,
                                          guarded),
            path, planned.action, plan, is_allowed_at_once=False)


_PLANNED = ('UPDATE', 'RESTORE')


def list_restricted(stacks):
    """List the resources whose change a policy forbids.

    :param stacks: the current stack and the updated stack.
    :returns: a list of dicts as in the other lists of a preview, with
        ``restricted_reason`` and ``restricted_action``.
    """
    return [_format_violation(violation)
            for violation in find_violations(*stacks)]


def _format_violation(violation):
    plan, name = violation.plan, violation.name
    shown = (api.format_stack_resource(plan.current(name))
             if plan is not None and plan.exists(name)
             else {'resource_name': name})
    return {**shown, 'restricted_action': violation.act,
            'restricted_reason': violation.advice}


def list_stops(context, update):
    """List the changes of an update that a policy forbids."""
    return [] if update.is_creation else [
        guard.Stop(errors.UpdatePolicyRestricted.__name__, violation.advice,
                   violation.path)
        for violation in find_violations(update.stack, update.updated)]


def reject_if_forbidden(stack, action, new_stack, template, notify=None):
    """Reject an operation that a policy forbids.

    :param template: the new template.
    :param notify: Heat's NotifyEvent, which unblocks the caller.
    :returns: whether the operation is rejected. The stack is then FAILED.
    :raises StackValidationFailed: if an operation of the stack is in progress.
    """
    if action not in _PLANNED:
        return False
    # The validation of the new stack has found an allow.
    object_data.of_stack(stack).has_allow = object_data.of_stack(
        new_stack).has_allow
    reason = find_reason(stack, new_stack, action)
    if reason is None:
        _move_plan(stack, new_stack)
        return False
    counter_writes.count_event(stack.id, counters.POLICY, action.lower(),
                               stack.context)
    try:
        fail_stack(stack, action, template, reason)
    finally:
        if notify is not None:
            notify.signal()
    return True


def reject_legacy_update(stack, start):
    """Reject an update of the legacy engine that a policy or plan forbids.

    :param start: the :class:`heat_extras.guard.Start`.
    :returns: whether it is rejected.
    """
    notify = start.options['notify']
    # Heat has loaded the stack before the validation, which can take minutes.
    policy_flag.reload_flag(stack)
    update = object_data.of_stack(start.new_stack).reviewed_update
    if update is not None and update.reject_outdated(stack):
        notify.signal()
        return True
    is_idle = stack.status != stack.IN_PROGRESS
    return is_idle and reject_if_forbidden(
        stack, start.action, start.new_stack, start.template, notify)


def _move_plan(stack, new_stack):
    """Let the engines check the resources against a reviewed plan."""
    update = object_data.of_stack(new_stack).reviewed_update
    if update is None:
        return
    # The resources of trees without a policy are not checked.
    policy_flag.set_flags(stack.context, stack.id)
    object_data.of_stack(stack).set_policy(True)
    update.start(stack)


def find_reason(stack, new_stack, action):
    """Return why an update is rejected, or None.

    :param stack: the current stack, from the database.
    :param new_stack: the stack as it would be after the update.
    """
    all_violations = find_violations(stack, new_stack)
    if not all_violations:
        return None
    is_part = _is_part_of_an_update(stack)
    problems = [(each.path, each.text) for each in all_violations]
    protection = next(filter(None, (
        each.protection for each in all_violations)), None)
    if protection is not None:
        # Its removal comes first. The next update shows the policies.
        return rules.make_refusal(
            problems, rules.how_to_allow(protection), not is_part,
            action.lower(), protection.name)
    return rules.make_refusal(
        problems, _choose_remedy(stack, action, is_part, all_violations),
        not is_part, action.lower())


def _choose_remedy(stack, action, is_part, all_violations):
    if action == stack.RESTORE:
        return rules.BY_NO_RESTORE
    forbidden = [each for each in all_violations if each.act is not None]
    if not forbidden:
        # The text of two policies that contradict each other has the remedy.
        return None
    # An update of a nested stack by its own ID, or by a signal, does not have
    # the template of the stack around it.
    is_at_once = (is_part or stack.owner_id is None) and all(
        each.is_allowed_at_once for each in forbidden)
    return rules.BY_UPDATE if is_at_once else rules.choose_two_updates(
        any(each.is_marked for each in forbidden))


def find_violations(stack, new_stack):
    """List the :class:`Violation` of an update.

    It never raises an exception. If the update cannot be planned,
    :mod:`resource_check` checks its resources.
    """
    if not _is_guarded(stack, new_stack):
        return []
    try:
        return _plan_and_find(stack, new_stack)
    except Exception:
        LOG.exception('The update of stack %(name)s (%(id)s) cannot be '
                      'planned. Its resources are checked one by one.',
                      {'name': stack.name, 'id': stack.id})
        return []


def _plan_and_find(stack, new_stack):
    is_part = _is_part_of_an_update(stack)
    inherited = inherited_policy.compute_policy(stack, updated=new_stack)
    baseline = rollback_check.find_baseline(stack)
    is_legacy_rollback = not stack.convergence and baseline.is_rollback
    if is_part and not (inherited.policy.update or is_legacy_rollback):
        # Its resources were checked together with the stack around it.
        return []
    plan = stack_plan.plan_update(stack, new_stack)
    all_violations = find_in_stack(plan, inherited, baseline)
    if not is_part:
        all_violations.extend(find_in_resources(plan, inherited))
    elif is_legacy_rollback:
        # A legacy rollback first removes the resources that were about to be
        # replaced.
        all_violations.extend(
            each for each in find_in_resources(plan, inherited)
            if each.act == change.REPLACE and each.plan is plan
            and plan.has_predecessor(each.name))
    return all_violations


def _is_guarded(stack, new_stack):
    data = object_data.of_stack(stack)
    if not data.is_flag_loaded or stack.id is None:
        return False
    return (policy_flag.find_flag(stack, new_stack)
            or policy_flag.has_allow(new_stack.t)
            or object_data.of_stack(new_stack).has_allow)


def _is_part_of_an_update(stack):
    if stack.owner_id is None:
        return False
    try:
        parent = resource_object.Resource.get_by_name_and_stack(
            stack.context, stack.parent_resource_name, stack.owner_id)
    except exception.NotFound:
        return False
    return parent is not None and parent.status == 'IN_PROGRESS'


def fail_stack(stack, action, new_template, reason):
    """Mark a stack as FAILED without other changes.

    :raises StackValidationFailed: if an operation of the stack is in progress.
        The stack is then not written.
    """
    if stack.status == stack.IN_PROGRESS:
        raise exception.StackValidationFailed(message=reason)
    final_status.write_status(stack.state_set, action, stack.FAILED, reason)
    if not stack.convergence and stack.prev_raw_template_id is None:
        # Heat bases the next PATCH of a FAILED stack on it
        # (EngineService._prepare_stack_updates).
        kept = copy.deepcopy(stack.t)
        stack.prev_raw_template_id = kept.store(stack.context)
        stack.store()
    if new_template.id is not None and new_template.id != stack.t.id:
        # The parent has stored the template for this update
        # (StackResource._stack_kwargs).
        transactions.on_db_error(raw_template.RawTemplate.delete)(
            stack.context, new_template.id)
