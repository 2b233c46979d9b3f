# SPDX-License-Identifier: Apache-2.0

"""The planned changes of a stack tree: of resources and nested stacks."""

import dataclasses
import typing

from heat.engine.resources.openstack.heat import instance_group
from heat.engine.resources import stack_resource

from heat_extras.heat_internals import object_data
from heat_extras.plan import change
from heat_extras.plan import nested_plan
from heat_extras.plan import reasons
from heat_extras.plan import resource_plan
from heat_extras.plan import stack_plan
from heat_extras.plan import unknown

#: The placeholders of a resource whose name Heat generates, and of resources
#: whose names and number are not known.
NEW, OTHERS = 'new', 'others'

#: The actions of Heat on a nested stack.
CREATE, UPDATE, DELETE = 'CREATE', 'UPDATE', 'DELETE'

CREATE_FIRST, DELETE_FIRST = 'create_before_delete', 'delete_before_create'


@dataclasses.dataclass(frozen=True)
class Entry:
    """One resource of a tree and its planned change.

    :param path: the names of its parent resources, and its own name.
    :param name: its own name. None if Heat generates the name.
    :param plan: the :class:`stack_plan.StackPlan` of its stack.
    :param change: the :class:`change.Change`.
    :param reasons: a tuple of :class:`reasons.Reason`.
    :param placeholder: :data:`NEW` or :data:`OTHERS` if the last name of the
        path is not the name of a resource.
    """

    path: tuple
    name: str | None
    plan: stack_plan.StackPlan = dataclasses.field(repr=False)
    change: change.Change
    resource_type: str | None
    physical_id: str | None = None
    reasons: tuple = ()
    placeholder: str | None = None

    @property
    def order(self):
        """The order of the replacement, or None without a replacement."""
        if self.change.shown_action != change.REPLACE:
            return None
        # The legacy engine first removes the resources that a failed update
        # left (StackUpdate.__call__). Otherwise, both engines remove a
        # resource when its replacement is complete.
        is_delete_first = (
            not self.plan.stack.convergence and self.name in self.plan.rows
            and self.plan.has_predecessor(self.name))
        return DELETE_FIRST if is_delete_first else CREATE_FIRST


@dataclasses.dataclass(frozen=True)
class NestedAction:
    """An action on a nested stack.

    :param path: the path of its resource, as in :class:`Entry`.
    :param stack: the present stack, or the stack to create, which has no ID.
    :param new_stack: the stack after an update, or None.
    :param is_certain: whether the action, the template and the parameters are
        known before the update.
    """

    path: tuple
    action: str
    stack: typing.Any
    new_stack: typing.Any = None
    is_certain: bool = True


def list_entries(plan):
    """List the :class:`Entry` of each resource, ordered by path.

    :param plan: the :class:`stack_plan.StackPlan` of the root stack.
    """
    return sorted(_entries(plan, (), change.Change()),
                  key=lambda entry: entry.path)


def _entries(plan, path, parent_change, is_group=False):
    """Yield the entries of one stack and of the stacks nested in it.

    :param parent_change: the change of the resource that has the stack.
    :param is_group: whether Heat generates the names of new resources.
    """
    for name, shown, placeholder in _list_names(plan, is_group):
        entry = _entry(plan, name, (*path, shown), parent_change, placeholder)
        yield entry
        yield from _nested_entries(entry, name)
    if not plan.inputs.is_size_known:
        yield _others(plan, path)


def _others(plan, path):
    return Entry((*path, f'({OTHERS})'), None, plan, dataclasses.replace(
        resource_plan.UNKNOWN, action=change.ADD, may_replace=False),
        None, placeholder=OTHERS)


def _list_names(plan, is_group):
    """Yield each resource of a stack, as (name, name in paths, placeholder).

    :param is_group: whether Heat generates the names of new resources.
    """
    new = 0
    for name in sorted(plan.possible_names()):
        shown, placeholder = name, None
        if is_group and not plan.exists(name):
            new += 1
            shown, placeholder = f'({NEW} {new})', NEW
        yield name, shown, placeholder


def _entry(plan, name, path, parent_change, placeholder):
    own_change = _predict_change(plan, name)
    row = plan.rows.get(name) if plan.exists(name) else None
    definition = (plan.new_definition(name) if name in plan.new_names
                  else row and plan.current_definition(name))
    causes = reasons.list_reasons(plan, name, own_change)
    combined = _combine_with_parent(parent_change, own_change)
    return Entry(
        path, None if placeholder else name, plan, combined,
        definition.resource_type if definition else plan.written_type(name),
        row and row.physical_resource_id,
        causes if combined == own_change
        else (*causes, reasons.MAYBE_WITH_STACK), placeholder)


def _predict_change(plan, name):
    if not plan.exists(name):
        return change.Change(change.ADD, name in plan.new_names
                             and plan.is_enabled_for_certain(name)
                             # An operation in progress may add it first.
                             and not (name in plan.rows and plan.stack.status
                                      == plan.stack.IN_PROGRESS))
    planned = plan.predict(name)
    if (planned == resource_plan.UNCHANGED and name in plan.new_names
            and plan.is_nested(name) and resource_plan.changed_properties(
                plan.load_current(name), plan.known_definition(name))):
        # A group may have the same members as before.
        return change.Change(change.UPDATE)
    return planned


def _combine_with_parent(parent_change, own_change):
    """Return the change of a resource, considering its nested stack."""
    if (parent_change.is_certain
            or parent_change.shown_action not in change.DESTRUCTIVE):
        return own_change
    if own_change.action == change.ADD:
        return own_change.uncertain()
    is_severer = own_change.action == change.REMOVE or (
        # The resource is replaced in any case.
        own_change.action == parent_change.shown_action
        and own_change.is_certain)
    return (own_change if is_severer or not own_change.is_known
            else parent_change)


def _nested_entries(entry, name):
    with unknown.suppress_errors():
        yield from _existing_or_new_entries(entry, name)
        return
    if entry.plan.exists(name) and entry.plan.is_nested(name):
        yield from _removed_entries(entry, name, resource_plan.UNKNOWN)


def _existing_or_new_entries(entry, name):
    plan = entry.plan
    has_nested = plan.exists(name) and plan.is_nested(name)
    is_planned = name in plan.new_names and issubclass(
        plan.new_type(name), stack_resource.StackResource)
    is_group = is_planned and _is_scaling_group(plan, name)
    is_deleted = entry.change.is_certain and (
        entry.change.action in change.DESTRUCTIVE)
    if has_nested and is_planned and not is_deleted:
        # A list, so that an error does not leave part of the entries.
        yield from list(_entries(plan.child(name), entry.path, entry.change,
                                 is_group))
        return
    if not (plan.exists(name) or name in plan.new_names) and issubclass(
            plan.planned.env.registry.get_class_to_instantiate(
                entry.resource_type, resource_name=name),
            stack_resource.StackResource):
        yield _others(plan, entry.path)
    removed = list(_removed_entries(
        entry, name, entry.change)) if has_nested else []
    created = list(_entries(plan.new_child(name), entry.path, entry.change,
                            is_group)) if is_planned else []
    yield from _merge_entries(removed, created)


def _is_scaling_group(plan, name):
    """Return whether Heat generates the names of a resource's members."""
    return issubclass(plan.new_type(name), instance_group.InstanceGroup)


def _removed_entries(entry, name, stack_change):
    """Yield the resources of a nested stack that is removed or replaced."""
    stack = stack_plan.load_stack(entry.plan.stack.context,
                                  entry.plan.rows[name].physical_resource_id)
    plan = stack_plan.StackPlan(stack, stack.t)
    removal = dataclasses.replace(stack_change, action=change.REMOVE) if (
        stack_change.is_known) else stack_change
    for each in plan.existing_names():
        definition = plan.current_definition(each)
        inner = Entry((*entry.path, each), each, plan, removal,
                      definition and definition.resource_type,
                      plan.rows[each].physical_resource_id,
                      (reasons.WITH_STACK,))
        yield inner
        if plan.is_nested(each):
            yield from _removed_entries(inner, each, stack_change)


def _merge_entries(removed, created):
    """Yield each resource of a replaced nested stack once."""
    created = {entry.path: entry for entry in created}
    for entry in removed:
        again = created.pop(entry.path, None)
        yield entry if again is None else dataclasses.replace(
            entry, resource_type=again.resource_type,
            change=dataclasses.replace(again.change, action=change.REPLACE))
    yield from created.values()


def list_actions(plan, path=(), is_certain=True, is_group=False):
    """Yield a :class:`NestedAction` for each nested stack, parents first.

    A nested stack that cannot be planned yet is omitted, with all stacks in
    it.

    :param plan: the :class:`stack_plan.StackPlan` of the updated stack.
    :param path: of the resource that has this stack.
    :param is_certain: whether the action on this stack is certain.
    :param is_group: whether Heat generates the names of new resources.
    """
    for name, shown, _ in _list_names(plan, is_group):
        with unknown.suppress_errors():
            # A list, so that an error does not leave a part.
            yield from list(_actions_of(plan, name, (*path, shown),
                                        is_certain))


def _actions_of(plan, name, path, is_certain):
    has_nested = plan.exists(name) and plan.is_nested(name)
    is_planned = name in plan.new_names and issubclass(
        plan.new_type(name), stack_resource.StackResource)
    if not (has_nested or is_planned):
        return
    planned = _predict_change(plan, name)
    is_certain = is_certain and planned.will_happen
    is_destroyed = planned.is_certain and (
        planned.action in change.DESTRUCTIVE)
    if has_nested and is_planned and not is_destroyed:
        child = plan.child(name)
        object_data.of_stack(child.planned).plan = child
        yield from _with_nested(plan, name, child, NestedAction(
            path, UPDATE, child.stack, child.planned, is_certain))
        return
    if is_planned:
        child = plan.new_child(name)
        yield from _with_nested(plan, name, child, NestedAction(
            path, CREATE, child.stack, is_certain=is_certain))
    if has_nested:
        yield from _deletions(plan, name, path, is_certain)


def _with_nested(plan, name, child, action):
    is_certain = action.is_certain and child.inputs == nested_plan.KNOWN
    yield dataclasses.replace(action, is_certain=is_certain)
    yield from list_actions(child, action.path, is_certain,
                            _is_scaling_group(plan, name))


def _deletions(plan, name, path, is_certain):
    definition = plan.current_definition(name)
    if definition.deletion_policy() != definition.DELETE:
        return
    stack = stack_plan.load_stack(plan.stack.context,
                                  plan.rows[name].physical_resource_id)
    yield NestedAction(path, DELETE, stack, is_certain=is_certain)
    inner = stack_plan.StackPlan(stack, stack.t)
    for each in inner.existing_names():
        if inner.is_nested(each):
            yield from _deletions(inner, each, (*path, each), is_certain)
