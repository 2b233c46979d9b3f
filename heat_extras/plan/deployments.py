# SPDX-License-Identifier: Apache-2.0

"""Whether Heat replaces a software deployment instead of updating it.

Heat decides this in SoftwareDeployment.handle_update: it compares the inputs
with ``replace_on_change`` with those of the last deployment.
"""

import itertools

from heat.engine import function
from heat.engine.resources.openstack.heat import software_config
from heat.engine.resources.openstack.heat import software_deployment
from heat.engine import software_config_io
from heat.objects import software_config as config_object
from heat.objects import software_deployment as deployment_object

from heat_extras.plan import unknown

_CONFIG = software_deployment.SoftwareDeployment.CONFIG
_VALUES = software_deployment.SoftwareDeployment.INPUT_VALUES
_INPUTS = software_config.SoftwareConfig.INPUTS
_UNKNOWN_CONFIG = (_CONFIG, unknown.ALL)


def is_deployment(kind):
    """Return whether a class is a software deployment."""
    return issubclass(kind, software_deployment.SoftwareDeployment)


def requires_replacement(current, after_props, hidden):
    """Return whether an update certainly replaces a deployment.

    :param current: the resource with its current definition.
    :param after_props: its new properties, with present values for unknown
        ones.
    :param hidden: the names of properties with unknown values.
    """
    if current.resource_id is None or not hidden.isdisjoint(_UNKNOWN_CONFIG):
        return False
    return _is_any_changed(current, _stored_inputs(current, after_props),
                           after_props[_VALUES] or {})


def may_require_replacement(plan, name, current):
    """Return whether an update may replace a deployment.

    :param plan: the :class:`stack_plan.StackPlan` of its stack.
    :param current: as in :func:`requires_replacement`.
    """
    if current.resource_id is None:
        return False
    hidden = plan.unresolved(name)
    after_props = plan.known_definition(name).properties(
        current.properties_schema, current.context)
    # A MARKER differs from each value.
    values = hidden.get(_VALUES, after_props[_VALUES] or {})
    inputs = (_stored_inputs(current, after_props)
              if hidden.keys().isdisjoint(_UNKNOWN_CONFIG)
              else _planned_inputs(plan, name))
    return (inputs is None or not isinstance(values, dict)
            or _is_any_changed(current, inputs, values))


def _is_any_changed(current, inputs, values):
    config = deployment_object.SoftwareDeployment.get_by_id(
        current.context, current.resource_id).config
    deployed = {each.name(): each.input_data()[1] for each in _parse(
        config and config.config.get(_INPUTS))}
    return any(
        values.get(each.name(), each.default()) != deployed[each.name()]
        for each in _parse(inputs)
        if each.replace_on_change() and each.name() in deployed)


def _parse(inputs):
    return [software_config_io.InputConfig(**each) for each in inputs or ()]


def _stored_inputs(current, after_props):
    if not after_props[_CONFIG]:
        return ()
    return config_object.SoftwareConfig.get_by_id(
        current.context, after_props[_CONFIG]).config.get(_INPUTS)


def _planned_inputs(plan, name):
    """Return the inputs of the configs of which one will be deployed.

    :returns: None if they are not known.
    """
    if plan.inputs.deployment_group:
        plan, name = plan.inputs.deployment_group
    hidden = plan.unresolved(name)
    sources = () if unknown.ALL in hidden else plan.sources(name, _CONFIG)
    if not sources:
        return None
    inputs = [_inputs_of_source(plan, source) for source in sources]
    return None if None in inputs else list(itertools.chain(*inputs))


def _inputs_of_source(plan, source):
    name = source.name
    if (source.kind != unknown.RESOURCE or source.attribute
            or name not in plan.new_names or not issubclass(
                plan.new_type(name), software_config.SoftwareConfig)):
        return None
    hidden = plan.unresolved(name)
    if not hidden.keys().isdisjoint((_INPUTS, unknown.ALL)):
        return None
    properties = function.resolve(plan.new_definition(name)._properties) or {}
    return properties.get(_INPUTS) or []
