# SPDX-License-Identifier: Apache-2.0

"""What an update of a stack tree would do that a policy forbids.

Only what the update will do for certain is a problem here. What it may do is
left to the check at the moment of the act, see :mod:`at_the_act`.
"""

import dataclasses

from oslo_log import log as logging

from heat_extras.update_plan import change
from heat_extras.update_plan import stack_diff
from heat_extras.update_policy import allow
from heat_extras.update_policy import descendants
from heat_extras.update_policy import keys
from heat_extras.update_policy import rules
from heat_extras.update_policy import temporary
from heat_extras.update_policy import words

LOG = logging.getLogger(__name__)

_MARKED = ('CHECK', 'FAILED')


@dataclasses.dataclass(frozen=True)
class Problem:
    """One resource that stands in the way of an update.

    :param act: what would happen to it; None where two policies contradict
        each other.
    :param plan: the :class:`stack_plan.StackPlan` of its stack; None for the
        nested stack that the update itself is for.
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


def problems(plan, above, is_whole=True, undo=None):
    """List what forbids an update.

    :param plan: the :class:`stack_plan.StackPlan` of the stack.
    :param above: the :class:`ancestry.Above` of the stack.
    :param is_whole: whether to plan nested stacks, too.
    :param undo: the :class:`undo.Undo` of the stack when a stack around it
        rolls back.
    """
    found = []
    if (above.policy.update
            and stack_diff.predict(plan) == change.Change(change.UPDATE)
            and not (undo and undo.gives_back_stack(plan.planned.defn))):
        path = '/'.join(above.path)
        found.append(Problem(words.forbidden(
            path, words.NESTED_STACK, change.UPDATE, above.policy.update),
            above.path[-1], change.UPDATE))
    _Walk(found, is_whole, undo).through(plan, above)
    return found


class _Walk:

    def __init__(self, found, is_whole, undo):
        self._found = found
        self._is_whole = is_whole
        self._undo = undo

    def through(self, plan, above, acts=tuple(keys.DECIDING)):
        """Add the problems of one stack, and of those nested in it.

        :param acts: those that count. Where the nested stack itself may be
            lost, so much is certain: what is lost in it is lost.
        """
        if self._undo is None:
            # A rollback has to go back to one that was there.
            for name in sorted(plan.new_names):
                self._add_conflicts(plan, above, name)
        for name in plan.existing_names():
            try:
                self._visit(plan, above, name, acts)
            except Exception:
                LOG.exception('What the update does to resource %s is not '
                              'known before it', above.name_of(name))

    def _add_conflicts(self, plan, above, name):
        written = allow.of(plan.new_definition(name))
        for key in rules.conflicts(above.policy, written):
            self._found.append(Problem(
                words.conflict(above.name_of(name), key,
                               getattr(above.policy, key)),
                name, None, plan))

    def _visit(self, plan, above, name, acts):
        before = plan.current_definition(name)
        if before is None or self._has_come(plan, name):
            return
        policy = above.holding(name, self._said(plan, name, before))
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
                self._add(plan, above, name, act, by)
        elif is_nested:
            self._visit_nested(plan, above.under(name, policy), name, act,
                               acts)

    def _said(self, plan, name, before):
        """Return what the templates say of a resource."""
        row = plan.rows[name]
        if name not in plan.new_names:
            return descendants.said_of_removed(
                self._undo, row, before, plan.planned.defn)
        return descendants.holding(self._undo, row,
                                   plan.new_definition(name), before)

    def _add(self, plan, above, name, act, by):
        path = above.name_of(name)
        definition = (plan.new_definition(name) if name in plan.new_names
                      else plan.current_definition(name))
        self._found.append(Problem(
            words.forbidden(path, definition.resource_type, act.action, by,
                            act.reason),
            name, act.action, plan,
            allow.is_in_template(plan.planned.t, name) or allow.of(
                definition).replace is not False))

    def _has_come(self, plan, name):
        return (self._undo is not None
                and self._undo.has_come(plan.rows[name].id)
                and not plan.has_predecessor(name))

    def _is_temporary(self, plan, name):
        if self._undo is not None or name in plan.new_names:
            return False
        # The whole tree is planned before the update is in progress.
        return (not self._is_whole and temporary.is_of_this_update(
            plan.stack, plan.rows[name].id)
            or temporary.is_left_over(plan, plan.rows[name]))

    def _gives_back(self, plan, name, act):
        if self._undo is None or act.action != change.UPDATE:
            return False
        plan.resolve_references(name)
        return self._undo.gives_back(plan.rows[name].id,
                                     plan.new_definition(name))

    def _visit_nested(self, plan, above, name, act, acts):
        row = plan.rows[name]
        if self._undo and self._undo.has_come_inside(row):
            return
        if act.is_certain and act.action in change.DESTRUCTIVE:
            self._look_inside(plan, above, name, act)
        elif self._is_whole and name in plan.new_names:
            self.through(plan.child(name), above, acts if act.keeps_id
                         else change.DESTRUCTIVE)

    def _look_inside(self, plan, above, name, act):
        if self._is_temporary(plan, name):
            return
        path, row = '/'.join(above.path), plan.rows[name]
        guarded = descendants.first_guarded(
            plan.stack.context, row.physical_resource_id, path, self._undo)
        if guarded is not None:
            kind = plan.current_definition(name).resource_type
            self._found.append(Problem(
                words.guarded_inside(path, kind, act.action, guarded,
                                     guarded),
                name, act.action, plan, is_allowed_at_once=False,
                is_marked=(row.action, row.status) == _MARKED))
