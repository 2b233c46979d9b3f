# SPDX-License-Identifier: Apache-2.0

"""What a rollback may do all the same: undo what the failed update did.

It is judged as an update of the stacks as they were when the failed update
came to them. What it gives back is no change then, and what was not there is
no loss.
"""

import sys

from heat.engine import function
from heat.engine import template as heat_template
from heat.objects import resource as resource_object

from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import beginnings
from heat_extras.pre_update_state import operation as operations
from heat_extras.update_plan import stack_diff
from heat_extras.update_plan import stack_plan
from heat_extras.update_policy import allow
from heat_extras.update_policy import rules
from heat_extras.update_policy import summary
from heat_extras.update_policy import temporary

_CREATIONS = ('CREATE', 'ADOPT')
_NOTHING = {'stack': None, 'resources': {}}


class Undo:
    """A stack in a rollback, and what it was before.

    :param kept: what :func:`remember` kept of it; None when the failed update
        did not come to it: then it is what it was.
    """

    def __init__(self, context, operation, kept):
        self._context, self._operation = context, operation
        self._stack = (kept or {}).get('stack')
        self._resources = None if kept is None else kept['resources']

    def inside(self, stack_id):
        """Return the same for a stack that is nested in this one."""
        return Undo(self._context, self._operation, baseline.read(
            self._context, stack_id, baseline.RESOURCES,
            self._operation.update))

    def has_come(self, row_id):
        """Return whether a resource is there only since the update."""
        return (self._resources is not None
                and str(row_id) not in self._resources)

    def has_come_inside(self, row):
        """Return whether the nested stack of a resource is that new."""
        kept = self._kept(row.id)
        return kept is not None and kept[0] != row.physical_resource_id

    def gives_back(self, row_id, definition):
        """Return whether a definition is the one from before."""
        kept = self._kept(row_id)
        return kept is not None and kept[1] == _digest(definition)

    def gives_back_stack(self, definition):
        """Return whether template and parameters are those from before."""
        return (self._stack is not None
                and self._stack == _stack_digest(definition))

    def allow(self, row_id, definition):
        """Return what the template said of a resource before.

        :param definition: the one that it has now.
        """
        kept = self._kept(row_id)
        return allow.of(definition) if kept is None else rules.Allow(*kept[2])

    def allow_around(self, stack_id):
        """Return what was said before of the resource around a stack."""
        said = (kept[2] for kept in (self._resources or {}).values()
                if kept[0] == stack_id)
        return rules.Allow(*next(said, ()))

    def allow_both(self, row_id, after, definition):
        """Return what holds: what was said before, and what is said now.

        The template that a rollback goes to may have lifted a policy in an
        update that never came to the resource.

        :param after: the definition that it gets.
        :param definition: the one that it has now.
        """
        return rules.both(allow.of(after), self.allow(row_id, definition))

    def _kept(self, row_id):
        return (self._resources or {}).get(str(row_id))


def of(stack):
    """Return the :class:`Undo` of a stack, or None when nothing rolls back.

    :param stack: its context and id are used; the rest is looked up.
    """
    if stack.owner_id is None and stack.action != operations.ROLLBACK:
        return None
    operation = operations.of(stack.context, stack.id)
    if not operation.is_rollback:
        return None
    return Undo(stack.context, operation, None).inside(stack.id)


def is_concerned(stack):
    """Return whether there can be a policy in the tree of a stack."""
    return summary.may_have(stack)


def remember(stack, undone=None):
    """Keep what a stack is, when an update comes to it.

    A tree without a policy pays nothing for it.
    """
    if not is_concerned(stack):
        return
    operation = operations.of(stack.context, stack.id)
    is_new = undone is not None and undone.action in _CREATIONS
    baseline.keep(stack.context, stack.id, baseline.RESOURCES,
                  operation.update,
                  lambda: {**(_NOTHING if is_new else _look(stack)),
                           'entry': operation.entry})


def _look(stack):
    fresh = stack_plan.load(stack.context, stack.id)
    plan = stack_plan.StackPlan(fresh, fresh.t)
    rows = resource_object.Resource.get_all_active_by_stack(
        stack.context, stack.id)
    return {'stack': _stack_digest(_before(fresh)),
            'resources': {str(row.id): _of_row(plan, row)
                          for row in rows.values()
                          if (row.action, row.status) not in stack_plan.GONE
                          and not temporary.is_left_over(plan, row)}}


def _before(stack):
    if not stack.convergence:
        # Stack.update_task changes the template bit by bit, later.
        return stack.defn
    old = heat_template.Template.load(stack.context,
                                      stack.prev_raw_template_id)
    return stack.defn.clone_with_new_template(old, stack.identifier())


def _of_row(plan, row):
    definition = plan.definition_of(row)
    if definition is None:
        return [row.physical_resource_id, None, [None, None]]
    said = allow.of(definition)
    return [row.physical_resource_id,
            _digest(definition, row.properties_data),
            [said.update, said.replace]]


def _digest(definition, properties=None):
    """Return what tells whether an update would change a resource.

    :param properties: those that were stored, instead of those that the
        definition comes to now.
    """
    if properties is None:
        properties = function.resolve(definition._properties)
    # What refers to resources can't be worked out here and there alike.
    rest = [None if any(function.dependencies(part))
            else function.resolve(part)
            for part in (definition._metadata, definition._update_policy)]
    return baseline.digest([definition.resource_type, properties or {},
                            *rest])


def _stack_digest(definition):
    return baseline.digest(stack_diff.content(definition))


def start():
    """Be told where updates and rollbacks begin."""
    beginnings.add(sys.modules[__name__])


def stop():
    """Be told no longer."""
    beginnings.remove(sys.modules[__name__])
