# SPDX-License-Identifier: Apache-2.0

"""What an update does to every resource of a stack tree, one by one."""

import dataclasses

from heat.engine.resources.openstack.heat import instance_group
from heat.engine.resources import stack_resource
from oslo_log import log as logging

from heat_extras.update_plan import change
from heat_extras.update_plan import nested_plan
from heat_extras.update_plan import reasons
from heat_extras.update_plan import resource_plan
from heat_extras.update_plan import resource_rows
from heat_extras.update_plan import stack_plan

LOG = logging.getLogger(__name__)

#: Stands for resources of which neither names nor number are known.
OTHERS = '(others)'

CREATE_FIRST, DELETE_FIRST = 'create_before_delete', 'delete_before_create'


@dataclasses.dataclass(frozen=True)
class Entry:
    """One resource of a tree, and what the update does to it.

    :param path: the names of the resources around it, and its own.
    :param name: its own; None where Heat makes up the name.
    :param plan: the :class:`stack_plan.StackPlan` of its stack.
    :param change: the :class:`change.Change`.
    :param reasons: a tuple of :class:`reasons.Reason`.
    """

    path: tuple
    name: str | None
    plan: stack_plan.StackPlan = dataclasses.field(repr=False)
    change: change.Change
    resource_type: str | None
    physical_id: str | None = None
    reasons: tuple = ()

    @property
    def order(self):
        """In which order the resource is replaced; None if it is not."""
        if self.change.shown_action != change.REPLACE:
            return None
        # Before anything else, the legacy engine removes what an update that
        # failed has left behind (StackUpdate.__call__). Otherwise both engines
        # remove a resource when the new one is complete.
        is_delete_first = (
            not self.plan.stack.convergence and self.name in self.plan.rows
            and self.plan.has_predecessor(self.name))
        return DELETE_FIRST if is_delete_first else CREATE_FIRST


def list_entries(plan):
    """List the :class:`Entry` of each resource, ordered by path.

    :param plan: the :class:`stack_plan.StackPlan` of the root stack.
    """
    return sorted(_entries(plan, (), change.Change()),
                  key=lambda entry: entry.path)


def _entries(plan, path, around, is_group=False):
    """Yield the entries of one stack and of the stacks nested in it.

    :param around: the change of the resource that the stack is nested in.
    :param is_group: whether Heat makes up the names of new resources.
    """
    new = 0
    for name in sorted(plan.possible_names()):
        shown = name
        if is_group and not plan.exists(name):
            new += 1
            shown = f'(new {new})'
        entry = _entry(plan, name, (*path, shown), around)
        yield entry
        yield from _inside(entry, name)
    if not plan.inputs.is_size_known:
        yield Entry((*path, OTHERS), None, plan, dataclasses.replace(
            resource_plan.UNKNOWN, action=change.ADD, may_replace=False), None)


def _entry(plan, name, path, around):
    found = _find_change(plan, name)
    row = plan.rows.get(name) if plan.exists(name) else None
    definition = (plan.new_definition(name) if name in plan.new_names
                  else row and plan.current_definition(name))
    why, within = reasons.find(plan, name, found), _within(around, found)
    return Entry(
        path, name if path[-1] == name else None, plan, within,
        definition.resource_type if definition else plan.written_type(name),
        row and row.physical_resource_id,
        why if within == found else (*why, reasons.MAYBE_WITH_STACK))


def _find_change(plan, name):
    if not plan.exists(name):
        return change.Change(change.ADD, name in plan.new_names
                             and plan.is_enabled_for_certain(name))
    found = plan.predict(name)
    if (found.action != change.UNCHANGED
            or not resource_rows.row_was_never_created(plan.rows[name])):
        return found
    if name not in plan.new_names:
        return change.Change(change.REMOVE)
    return resource_plan.predict_in_place(plan.load_current(name),
                                          plan.known_definition(name))


def _within(around, found):
    """Return the change of a resource inside one that changes itself."""
    if around.is_certain or around.shown_action not in change.DESTRUCTIVE:
        return found
    if found.action in change.DESTRUCTIVE and found.is_certain:
        # Whatever happens to the nested stack, it is lost.
        return found
    return found.uncertain() if found.action == change.ADD else around


def _inside(entry, name):
    try:
        yield from _nested(entry, name)
    except Exception as error:
        LOG.debug('What is nested in %(path)s cannot be worked out: %(kind)s',
                  {'path': '/'.join(entry.path), 'kind': type(error).__name__})
        if entry.plan.exists(name) and entry.plan.is_nested(name):
            yield from _lost(entry, name, resource_plan.UNKNOWN)


def _nested(entry, name):
    plan = entry.plan
    is_there = plan.exists(name) and plan.is_nested(name)
    is_planned = name in plan.new_names and issubclass(
        plan.new_type(name), stack_resource.StackResource)
    is_group = is_planned and issubclass(plan.new_type(name),
                                         instance_group.InstanceGroup)
    is_lost = entry.change.is_certain and (
        entry.change.action in change.DESTRUCTIVE)
    if is_there and is_planned and not is_lost:
        # A list: what cannot be worked out is not to be seen in part.
        yield from list(_entries(plan.child(name), entry.path, entry.change,
                                 is_group))
        return
    lost = list(_lost(entry, name, entry.change)) if is_there else []
    made = list(_made(entry, name, is_group)) if is_planned else []
    yield from _merged(lost, made)


def _made(entry, name, is_group):
    """Yield what comes with a nested stack that is new or replaced."""
    stack, inputs = nested_plan.new_stack_of(entry.plan, name)
    return _entries(stack_plan.StackPlan(stack, stack.t, inputs), entry.path,
                    entry.change, is_group)


def _lost(entry, name, found):
    """Yield what goes with a nested stack that is removed or replaced."""
    stack = stack_plan.load(entry.plan.stack.context,
                            entry.plan.rows[name].physical_resource_id)
    plan = stack_plan.StackPlan(stack, stack.t)
    gone = dataclasses.replace(found, action=change.REMOVE) if (
        found.is_known) else found
    for each in plan.existing_names():
        definition = plan.current_definition(each)
        inner = Entry((*entry.path, each), each, plan, gone,
                      definition and definition.resource_type,
                      plan.rows[each].physical_resource_id,
                      (reasons.WITH_STACK,))
        yield inner
        if plan.is_nested(each):
            yield from _lost(inner, each, found)


def _merged(lost, made):
    """Yield resources of a nested stack that is made anew, each once."""
    made = {entry.path: entry for entry in made}
    for entry in lost:
        again = made.pop(entry.path, None)
        yield entry if again is None else dataclasses.replace(
            entry, resource_type=again.resource_type,
            change=dataclasses.replace(again.change, action=change.REPLACE))
    yield from made.values()
