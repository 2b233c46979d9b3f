# SPDX-License-Identifier: Apache-2.0

"""Attributes of changed resources whose values are known before an update.

These are the outputs of nested stacks, the attributes of groups, and what
OS::Heat::Value returns.
"""

from heat.engine import attributes
from heat.engine import function
from heat.engine.resources.aws.cfn import stack as cfn_stack
from heat.engine.resources.openstack.heat import value as heat_value
from heat.engine.resources import stack_resource
from heat.engine.resources import template_resource
from heat.rpc import api as rpc_api

from heat_extras.plan import change
from heat_extras.plan import resource_plan
from heat_extras.plan import resource_types
from heat_extras.plan import unknown

#: The output whose value ``get_resource`` returns for a template resource.
REFERENCE = template_resource.STACK_ID_OUTPUT

_PREFIX = 'Outputs.'
_MEMBER = 'resource.'


class _NotKnown(Exception):
    """The value depends on the update."""


def changed_data(plan, name):
    """Return the unknown.ResourceData of a resource that changes."""
    is_id_known = plan.exists(name) and keeps_reference(plan, name)
    load = plan.current if plan.exists(name) else plan.new
    return unknown.ResourceData(
        plan.queries, name,
        lambda: load(name).node_data(plan.planned.defn, for_resources=False),
        is_id_known, lambda attribute: plan.known_value((name, attribute)),
        REFERENCE if is_id_known and has_reference_output(plan, name)
        else None)


def keeps_reference(plan, name):
    """Return whether ``get_resource`` returns the same after an update.

    Some types set another ID in an update. A deployment gets its ID from the
    first action that is one of its ``actions``.
    """
    planned = plan.predict(name)
    if planned.action != change.UPDATE or not planned.keeps_id:
        return planned.keeps_id
    kind = plan.new_type(name)
    return (plan.rows[name].physical_resource_id is not None
            if resource_types.is_deployment(kind)
            else 'resource_id_set' not in resource_plan.late_names(kind))


def find_value(plan, name, attribute):
    """Return the value of an attribute after the update.

    :param plan: the :class:`stack_plan.StackPlan` of the stack.
    :param name: of a resource that the update adds or changes.
    :param attribute: a name, or a tuple of a name and a path.
    :returns: a list of the value. It is empty if the value is not known.
    """
    key, *path = [attribute] if isinstance(attribute, str) else attribute
    # The result is cached, so a query would not be repeated.
    with unknown.suppress_errors(), plan.queries.collect() as queries:
        value = _value(plan, name, key, path)
        # The legacy engine can read outputs of before the update
        # (StackResource._outputs).
        is_known = (plan.stack.convergence or not plan.keeps_nested(name)
                    or value == plan.current(name).FnGetAtt(key, *path))
        return [value] if is_known and not queries else []
    return []


def has_reference_output(plan, name):
    """Return whether an output determines what ``get_resource`` returns."""
    if not issubclass(plan.new_type(name), template_resource.TemplateResource):
        return False
    with unknown.suppress_errors():
        child = plan.child(name)
        return any(REFERENCE in (template.t.get(template.OUTPUTS) or {})
                   for template in (child.stack.t, child.planned.t))
    return True


def _value(plan, name, key, path):
    kind = plan.new_type(name)
    if issubclass(kind, heat_value.Value):
        return _property_value(plan, name, key, path)
    if not issubclass(kind, stack_resource.StackResource):
        raise _NotKnown
    is_kept = plan.keeps_nested(name)
    child = plan.child(name) if is_kept else plan.new_child(name)
    if issubclass(kind, cfn_stack.NestedStack) and key.startswith(_PREFIX):
        key = key.removeprefix(_PREFIX)
        return _select(plan, _resolve_output(child, key), path)
    if issubclass(kind, template_resource.TemplateResource):
        if key.startswith(_MEMBER):
            return _member_value(child, key, path)
        return _select(plan, _resolve_output(child, key), path)
    if not is_kept or not resource_types.is_known(kind):
        raise _NotKnown
    return _group_value(plan, name, child, [key, *path])


def _property_value(plan, name, key, path):
    hidden = plan.unresolved(name)
    if key != heat_value.Value.VALUE_ATTR or unknown.ALL in hidden:
        raise _NotKnown
    if heat_value.Value.VALUE in hidden:
        return _select(plan, hidden[heat_value.Value.VALUE], path)
    return _select(plan, function.resolve(
        plan.new_definition(name)._properties)[heat_value.Value.VALUE], path)


def _select(plan, value, path):
    """Select a part. That is a query if it is not known."""
    return function.resolve(attributes.select_from_attribute(
        unknown.watch(plan.queries, value), path))


def _resolve_output(child, key):
    """Return an output, with an unknown.MARKER for each unknown part."""
    if not child.inputs.is_known:
        raise _NotKnown
    definition, template = child.planned.defn, child.planned.t
    output = template.outputs(definition)[key]
    for name in output.required_resource_names() & child.new_names:
        child.resolve_resource(name, for_outputs=True)
    with child.queries.collect() as queries:
        # Not all functions read the maps and lists that they return.
        value = function.resolve(output.get_value())
    if not queries:
        return value
    return unknown.resolve_known(
        template.t[template.OUTPUTS][key][template.OUTPUT_VALUE], child)


def _member_value(child, key, path):
    """Return the reference or an attribute of a nested resource."""
    name, *own_path = [*key.split('.', 2)[1:], *path]
    if not child.inputs.is_known or name not in child.new_names:
        raise _NotKnown
    child.predict(name)
    if child.exists(name) and not child.changes_attributes(name):
        resource = child.current(name)
        return resource.FnGetAtt(*own_path) if own_path else (
            resource.FnGetRefId())
    if own_path:
        return _value(child, name, own_path[0], own_path[1:])
    child.resolve_resource(name)
    with child.queries.collect() as queries:
        value = child.planned.defn[name].FnGetRefId()
    if queries:
        raise _NotKnown
    return value


class _Outputs(dict):
    """The outputs of a group's nested stack, in the format of an engine."""

    def __init__(self, child):
        super().__init__()
        self._child = child

    def __contains__(self, key):
        if key not in (self._child.planned.t.t.get('outputs') or {}):
            # Heat would read it from the members of before the update.
            raise _NotKnown
        return True

    def __getitem__(self, key):
        value = _resolve_output(self._child, key)
        if value in (None, unknown.MARKER):
            # Heat would query the nested stack again if it is None.
            raise _NotKnown
        return {rpc_api.OUTPUT_VALUE: value}


def _group_value(plan, name, child, attribute):
    if child.inputs.uncertain_names or not child.inputs.is_size_known:
        raise _NotKnown
    group = plan.new_with(plan.known_definition(name))
    resource_types.give_members(group, child.stack, child.planned.t)
    group._outputs = outputs = _Outputs(child)
    value = group.get_attribute(*attribute)
    if group._outputs is not outputs:
        raise _NotKnown
    return _select(plan, value, ())
