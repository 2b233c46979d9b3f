# SPDX-License-Identifier: Apache-2.0

"""What an update of a stack tree would do that a policy forbids.

Only what the update will do for certain is a problem here. What it may do is
left to the check at the moment of the act, see :mod:`late`.
"""

import dataclasses

from oslo_log import log as logging

from heat_extras.update_plan import change
from heat_extras.update_plan import resource_plan
from heat_extras.update_plan import stack_diff
from heat_extras.update_plan import stack_plan
from heat_extras.update_policy import allow
from heat_extras.update_policy import descendants
from heat_extras.update_policy import rules
from heat_extras.update_policy import words

LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Problem:
    """One resource that stands in the way of an update.

    :param level: the :class:`stack_plan.StackPlan` of its stack; None for the
        nested stack that the update itself is for.
    """

    text: str
    name: str
    act: str | None
    level: object = dataclasses.field(default=None, compare=False,
                                      repr=False)


def problems(stack, template, above, is_whole=True, undo=None):
    """List what forbids an update.

    :param stack: the stack as it is, loaded for this alone.
    :param template: its new template, with its environment.
    :param above: the :class:`ancestry.Above` of the stack.
    :param is_whole: whether to plan nested stacks, too.
    :param undo: the :class:`undo.Undo` of the stack when a stack around it
        rolls back.
    """
    level = stack_plan.StackPlan(stack, template)
    found = []
    after = level.planned.defn
    if (above.policy.update and stack_diff.differs(stack, after)
            and not (undo and undo.gives_back_stack(after))):
        path = '/'.join(above.path)
        found.append(Problem(words.forbidden(
            path, words.NESTED_STACK, change.UPDATE, above.policy.update),
            above.path[-1], change.UPDATE))
    _Walk(found, is_whole, undo).through(level, above)
    return found


class _Walk:

    def __init__(self, found, is_whole, undo):
        self._found = found
        self._is_whole = is_whole
        self._undo = undo

    def through(self, level, above):
        """Add the problems of one level, and of those below it."""
        if self._undo is None:
            # A rollback has to go back to one that was there.
            for name in sorted(level.new_names):
                self._add_conflicts(level, above, name)
        known = resource_plan.ResourcePlan(level)
        for name in level.existing_names():
            try:
                self._visit(level, above, known, name)
            except Exception:
                LOG.exception('What the update does to resource %s is not '
                              'known before it', above.name_of(name))

    def _add_conflicts(self, level, above, name):
        written = allow.of(level.new_definition(name))
        for key in rules.conflicts(above.policy, written):
            self._found.append(Problem(
                words.conflict(above.name_of(name), key,
                               getattr(above.policy, key)),
                name, None, level))

    def _visit(self, level, above, known, name):
        definition = level.current_definition(name)
        row = level.rows[name]
        if definition is None or self._has_come(level, name):
            return
        if name in level.new_names:
            # Its policy holds; the stored one does where there is none.
            before, definition = definition, level.new_definition(name)
            policy = above.holding(name, descendants.holding(
                self._undo, row, definition, before))
        else:
            policy = above.holding(name, descendants.said(self._undo, row,
                                                          definition))
        is_nested = level.is_nested(name)
        if policy.is_free and not is_nested:
            return
        act = known.of(name)
        by = policy.forbids(act.kind) if act.is_certain else None
        if by is not None and not self._gives_back(level, name, act):
            self._found.append(Problem(
                words.forbidden(above.name_of(name),
                                definition.resource_type, act.kind, by,
                                act.reason),
                name, act.kind, level))
        elif (by is None and is_nested and act.is_certain
                and (act.kind != change.UNCHANGED or name in level.new_names)):
            self._visit_nested(level, above.under(name, policy), name,
                               definition, act)

    def _has_come(self, level, name):
        return (self._undo is not None
                and self._undo.has_come(level.rows[name].id)
                and not level.has_predecessor(name))

    def _gives_back(self, level, name, act):
        if self._undo is None or act.kind != change.UPDATE:
            return False
        level.resolve_references(name)
        return self._undo.gives_back(level.rows[name].id,
                                     level.new_definition(name))

    def _visit_nested(self, level, above, name, definition, act):
        row = level.rows[name]
        stack_id = row.physical_resource_id
        if self._undo and self._undo.has_come_inside(row):
            return
        path = '/'.join(above.path)
        if act.kind in (change.REPLACE, change.REMOVE):
            guarded = descendants.first_guarded(level.stack.context, stack_id,
                                                path, self._undo)
            if guarded is not None:
                self._found.append(Problem(
                    words.guarded_inside(path, definition.resource_type,
                                         act.kind, guarded, guarded),
                    name, act.kind, level))
        elif self._is_whole:
            child = stack_plan.load(level.stack.context, stack_id)
            self.through(stack_plan.StackPlan(child, level.child(name).t),
                         above)
