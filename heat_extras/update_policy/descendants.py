# SPDX-License-Identifier: Apache-2.0

"""Look for protected resources inside a nested stack that would go."""

from heat.engine.resources import stack_resource

from heat_extras.update_plan import resource_rows
from heat_extras.update_plan import stack_plan
from heat_extras.update_policy import allow


def first_guarded(context, stack_id, path, undo=None):
    """Find a resource that must not be destroyed by an update.

    What was last applied holds: the new template says nothing of it. For a
    rollback that is what held before the failed update.

    :param path: the path of the nested-stack resource.
    :param undo: the :class:`undo.Undo` of its stack.
    :returns: the path of the first one, or None.
    """
    pending = [(stack_id, path)]
    while pending:
        stack_id, path = pending.pop(0)
        stack = stack_plan.load(context, stack_id)
        level = stack_plan.StackPlan(stack, stack.t)
        here = undo and undo.inside(stack_id)
        for name in level.existing_names():
            definition = level.current_definition(name)
            row = level.rows[name]
            if definition is None or resource_rows.row_never_was(row) or (
                    here and here.has_come(row.id)):
                continue
            if said(here, row, definition).replace is False:
                return f'{path}/{name}'
            if level.is_nested(name) and not (
                    here and here.has_come_inside(row)):
                pending.append((row.physical_resource_id, f'{path}/{name}'))
    return None


def said(undo, row, definition):
    """Return what a template says of a resource that it may have no more.

    :param undo: the :class:`undo.Undo` of its stack in a rollback, else
        None: what was last applied holds.
    """
    return (undo.allow(row.id, definition) if undo
            else allow.of(definition))


def said_of_removed(undo, row, definition, defn):
    """Return what holds for a resource that an update removes.

    A template that has it, with a condition that is false, says so.

    :param row: a row, or the heat.engine.resource.Resource of one.
    :param defn: the new heat.engine.stk_defn.StackDefinition of its stack.
    """
    if undo is None and allow.is_in_template(defn.t, row.name):
        return allow.of_disabled(defn, row.name)
    return said(undo, row, definition)


def holding(undo, row, after, definition):
    """Return what holds for a resource that stays in its template.

    :param after: the definition that it gets.
    :param definition: the one that it has.
    """
    return (undo.allow_both(row.id, after, definition) if undo
            else allow.of(after))


def first_guarded_in(resource, path, undo=None):
    """Find a protected resource inside a resource, which may be any."""
    if (not isinstance(resource, stack_resource.StackResource)
            or resource.resource_id is None):
        return None
    return first_guarded(resource.context, resource.resource_id, path, undo)
