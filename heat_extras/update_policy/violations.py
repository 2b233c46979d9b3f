# SPDX-License-Identifier: Apache-2.0

"""What an update of a stack tree would do that a policy forbids.

Only what the update will do for certain is a violation. What it may do is
left to :mod:`resource_check`.
"""

import dataclasses

from oslo_log import log as logging

from heat_extras.update_plan import change
from heat_extras.update_plan import stack_diff
from heat_extras.update_policy import allow
from heat_extras.update_policy import inherited_policy
from heat_extras.update_policy import messages
from heat_extras.update_policy import rollback_check
from heat_extras.update_policy import rules

LOG = logging.getLogger(__name__)

_MARKED = ('CHECK', 'FAILED')


@dataclasses.dataclass(frozen=True)
class Violation:
    """One resource that an update may not treat as it would.

    :param act: what would happen to it; None where two policies contradict
        each other.
    :param plan: the :mod:`heat_extras.update_plan.stack_plan` of its stack;
        None for the nested stack that the update itself is for.
    :param is_allowed_at_once: whether a template of the same update could
        allow it. What the update loses is held to what was said before.
    :param is_marked: whether every update replaces it until its mark is
        reset.
    """

    text: str
    name: str
    act: str | None
    plan: object = dataclasses.field(default=None, compare=False, repr=False)
    is_allowed_at_once: bool = True
    is_marked: bool = False


def find(plan, inherited, is_whole=True, baseline=rollback_check.UPDATE):
    """List what forbids an update.

    :param plan: the :mod:`heat_extras.update_plan.stack_plan` of the stack.
    :param inherited: its :class:`inherited_policy.InheritedPolicy`.
    :param is_whole: whether to plan nested stacks, too.
    :param baseline: the :class:`rollback_check.UpdateBaseline` of the stack.
    """
    found = []
    if (inherited.policy.update
            and stack_diff.predict(plan) == change.Change(change.UPDATE)
            and not baseline.gives_back_stack(plan.planned.defn)):
        path = '/'.join(inherited.path)
        found.append(Violation(
            messages.forbidden(path, messages.NESTED_STACK, change.UPDATE,
                               inherited.policy.update),
            inherited.path[-1], change.UPDATE))
    _Search(found, is_whole, baseline).visit_stack(plan, inherited)
    return found


class _Search:

    def __init__(self, found, is_whole, baseline):
        self._found = found
        self._is_whole = is_whole
        self._baseline = baseline

    def visit_stack(self, plan, inherited, acts=tuple(rules.DECIDING)):
        """Add the violations of one stack, and of those nested in it.

        :param acts: those that count. Where the nested stack itself may be
            lost, so much is certain: what is lost in it is lost.
        """
        if not self._baseline.is_rollback:
            # A rollback has to go back to one that was there.
            for name in sorted(plan.new_names):
                self._add_conflicts(plan, inherited, name)
        for name in plan.existing_names():
            try:
                self._visit(plan, inherited, name, acts)
            except Exception:
                LOG.exception('What the update does to resource %s is not '
                              'known before it', inherited.path_of(name))

    def _add_conflicts(self, plan, inherited, name):
        written = allow.read(plan.new_definition(name))
        for key in rules.conflicts(inherited.policy, written):
            self._found.append(Violation(
                messages.conflict(inherited.path_of(name), key,
                                  getattr(inherited.policy, key)),
                name, None, plan))

    def _visit(self, plan, inherited, name, acts):
        before = plan.current_definition(name)
        if before is None or (self._baseline.is_new(plan.rows[name].id)
                              and not plan.has_predecessor(name)):
            return
        policy = inherited.restrict(name, self._said(plan, name, before))
        is_nested = plan.is_nested(name)
        if policy.is_free and not is_nested:
            return
        act = plan.predict(name)
        by = (policy.forbids(act.action)
              if act.is_certain and act.action in acts else None)
        if act.may_replace and policy.replace is None:
            # It may come to what is allowed.
            by = None
        if by is not None:
            if not (self._gives_back(plan, name, act)
                    or self._is_temporary(plan, name)):
                self._add(plan, inherited, name, act, by)
        elif is_nested:
            self._visit_nested(plan, inherited.under(name, policy), name, act,
                               acts)

    def _said(self, plan, name, before):
        """Return what the templates say of a resource."""
        row = plan.rows[name]
        if name not in plan.new_names:
            return self._baseline.allow_of_removed(row, before,
                                                   plan.planned.defn)
        return self._baseline.allow_of_kept(
            row.id, plan.new_definition(name), before)

    def _add(self, plan, inherited, name, act, by):
        definition = (plan.new_definition(name) if name in plan.new_names
                      else plan.current_definition(name))
        self._found.append(Violation(
            messages.forbidden(inherited.path_of(name),
                               definition.resource_type, act.action, by,
                               act.reason),
            name, act.action, plan,
            allow.is_in_template(plan.planned.t, name) or allow.read(
                definition).replace is not False))

    def _is_temporary(self, plan, name):
        if self._baseline.is_rollback or name in plan.new_names:
            return False
        row = plan.rows[name]
        return (self._baseline.is_temporary(row.id)
                or rollback_check.is_left_over(plan, row))

    def _gives_back(self, plan, name, act):
        if not self._baseline.is_rollback or act.action != change.UPDATE:
            return False
        plan.resolve_references(name)
        return self._baseline.gives_back(plan.rows[name].id,
                                         plan.new_definition(name))

    def _visit_nested(self, plan, inherited, name, act, acts):
        if self._baseline.is_new_inside(plan.rows[name]):
            return
        if act.is_certain and act.action in change.DESTRUCTIVE:
            self._add_guarded_inside(plan, inherited, name, act)
        elif self._is_whole and name in plan.new_names:
            self.visit_stack(plan.child(name), inherited, acts
                             if act.keeps_id else change.DESTRUCTIVE)

    def _add_guarded_inside(self, plan, inherited, name, act):
        if self._is_temporary(plan, name):
            return
        path, row = '/'.join(inherited.path), plan.rows[name]
        guarded = inherited_policy.first_guarded(
            plan.stack.context, row.physical_resource_id, path,
            self._baseline)
        if guarded is not None:
            kind = plan.current_definition(name).resource_type
            self._found.append(Violation(
                messages.guarded_inside(path, kind, act.action, guarded),
                name, act.action, plan, is_allowed_at_once=False,
                is_marked=(row.action, row.status) == _MARKED))
