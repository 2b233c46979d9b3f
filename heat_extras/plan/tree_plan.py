# SPDX-License-Identifier: Apache-2.0

"""The planned changes of a stack tree: of resources and nested stacks."""

import dataclasses
import typing

from heat.engine.resources.openstack.heat import instance_group
from heat.engine.resources.openstack.heat import none_resource
from heat.engine.resources import stack_resource

from heat_extras.heat_internals import object_data
from heat_extras.plan import change
from heat_extras.plan import nested_plan
from heat_extras.plan import resource_plan
from heat_extras.plan import reviewed_request
from heat_extras.plan import stack_plan
from heat_extras.plan import unknown

#: The actions of Heat on a nested stack.
CREATE, UPDATE, DELETE = 'CREATE', 'UPDATE', 'DELETE'

CREATE_FIRST, DELETE_FIRST = 'create_before_delete', 'delete_before_create'


@dataclasses.dataclass(frozen=True)
class Entry:
    """One resource of a tree and its planned change.

    :param path: the names of its parent resources, and its own name.
    :param name: its own name. None for resources that are not known.
    :param plan: the :class:`stack_plan.StackPlan` of its stack.
    :param change: the :class:`change.Change`.
    :param own_change: the change if the nested stack that contains the
        resource is kept. None if that stack is removed.
    :param placeholder: ``NEW`` or ``OTHERS`` of :mod:`reviewed_request` if the
        last name of the path is not the name of a resource.
    """

    path: tuple
    name: str | None
    plan: stack_plan.StackPlan = dataclasses.field(repr=False)
    change: change.Change
    resource_type: str | None
    physical_id: str | None = None
    own_change: change.Change | None = None
    placeholder: str | None = None

    @property
    def new_class(self):
        """The class of the new resource, or None if it is not known."""
        with unknown.suppress_errors():
            return self.plan.planned.env.registry.get_class_to_instantiate(
                self.resource_type, resource_name=self.name)
        return None

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
        yield from _nested_entries(entry)
    if not plan.inputs.is_size_known:
        yield _others(plan, path)


def _others(plan, path):
    return Entry((*path, f'({reviewed_request.OTHERS})'), None, plan,
                 dataclasses.replace(resource_plan.UNKNOWN, action=change.ADD,
                                     may_replace=False),
                 None, placeholder=reviewed_request.OTHERS)


def _list_names(plan, is_group):
    """Yield each resource of a stack, as (name, name in paths, placeholder).

    :param is_group: whether Heat generates the names of new resources.
    """
    new = 0
    for name in sorted(plan.possible_names()):
        shown, placeholder = name, None
        if is_group and not plan.exists(name):
            new += 1
            placeholder = reviewed_request.NEW
            shown = f'({placeholder} {new})'
        yield name, shown, placeholder


def _entry(plan, name, path, parent_change, placeholder):
    own_change = _predict_change(plan, name)
    row = plan.rows.get(name) if plan.exists(name) else None
    definition = (plan.new_definition(name) if name in plan.new_names
                  else row and plan.current_definition(name))
    return Entry(
        path, name, plan, _combine_with_parent(parent_change, own_change),
        definition.resource_type if definition else plan.written_type(name),
        row and row.physical_resource_id, own_change, placeholder)


def _predict_change(plan, name):
    if not plan.exists(name):
        return change.Change(change.ADD, name in plan.new_names
                             and plan.is_enabled_for_certain(name)
                             and not _may_keep_row(plan, name))
    planned = plan.predict(name)
    if (planned == resource_plan.UNCHANGED and name in plan.new_names
            and plan.is_nested(name) and resource_plan.changed_properties(
                plan.load_current(name), plan.known_definition(name))):
        # A group may have the same members as before.
        return change.Change(change.UPDATE)
    return planned


def _may_keep_row(plan, name):
    """Return whether an update may not add a resource that has a row."""
    # An operation in progress may add it first. The legacy engine does not
    # create a NoneResource that a failed creation did not reach.
    return name in plan.rows and (
        plan.stack.status == plan.stack.IN_PROGRESS
        or not plan.stack.convergence and issubclass(
            plan.new_type(name), none_resource.NoneResource))


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


def _nested_entries(entry):
    with unknown.suppress_errors():
        # A list, so that an error does not leave part of the entries.
        yield from list(_existing_or_new_entries(entry))
        return
    if entry.plan.is_nested(entry.name):
        yield from _removed_entries(entry, resource_plan.UNKNOWN)


def _existing_or_new_entries(entry):
    plan, name = entry.plan, entry.name
    child, is_removed = _plan_nested(plan, name, entry.change)
    entries = [] if child is None else _entries(
        child, entry.path, entry.change, _is_scaling_group(plan, name))
    if is_removed:
        return _merge_entries(_removed_entries(entry, entry.change), entries)
    is_possible = not (plan.exists(name) or name in plan.new_names)
    return [_others(plan, entry.path)] if is_possible and issubclass(
        entry.new_class, stack_resource.StackResource) else entries


def _plan_nested(plan, name, planned):
    """Return the plan of the nested stack that a resource will have.

    :param planned: the change of the resource.
    :returns: the :class:`stack_plan.StackPlan` or None, and whether the
        present nested stack is removed.
    """
    if not plan.becomes_nested(name):
        return None, plan.is_nested(name)
    if plan.is_nested(name) and not planned.destroys:
        return plan.child(name), False
    return plan.new_child(name), plan.is_nested(name)


def _is_scaling_group(plan, name):
    """Return whether Heat generates the names of a resource's members."""
    return issubclass(plan.new_type(name), instance_group.InstanceGroup)


def _removed_entries(entry, stack_change):
    """Yield the resources of a nested stack that is removed or replaced."""
    plan = entry.plan.present_child(entry.name)
    removal = dataclasses.replace(stack_change, action=change.REMOVE) if (
        stack_change.is_known) else stack_change
    for name in plan.existing_names():
        definition = plan.current_definition(name)
        inner = Entry((*entry.path, name), name, plan, removal,
                      definition and definition.resource_type,
                      plan.rows[name].physical_resource_id)
        yield inner
        if plan.is_nested(name):
            yield from _removed_entries(inner, stack_change)


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
    if not (plan.is_nested(name) or plan.becomes_nested(name)):
        return
    planned = _predict_change(plan, name)
    is_certain = is_certain and planned.will_happen
    child, is_removed = _plan_nested(plan, name, planned)
    if child is not None:
        is_known = is_certain and child.inputs == nested_plan.KNOWN
        is_created = child.stack.id is None
        if not is_created:
            object_data.of_stack(child.planned).plan = child
        yield NestedAction(
            path, CREATE if is_created else UPDATE, child.stack,
            None if is_created else child.planned, is_known)
        yield from list_actions(child, path, is_known,
                                _is_scaling_group(plan, name))
    if is_removed:
        yield from _deletions(plan, name, path, is_certain)


def _deletions(plan, name, path, is_certain):
    definition = plan.current_definition(name)
    if definition.deletion_policy() != definition.DELETE:
        return
    removed = plan.present_child(name)
    yield NestedAction(path, DELETE, removed.stack, is_certain=is_certain)
    for each in removed.existing_names():
        if removed.is_nested(each):
            yield from _deletions(removed, each, (*path, each), is_certain)
