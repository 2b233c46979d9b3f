# SPDX-License-Identifier: Apache-2.0

"""Outputs of nested stacks whose values are known before an update."""

from heat.engine import attributes
from heat.engine.resources.aws.cfn import stack as cfn_stack
from heat.engine.resources import template_resource

from heat_extras.update_plan import unknown

_PREFIX = 'Outputs.'


def find_output(plan, name, attribute):
    """Return the value of a nested stack's attribute after the update.

    :param plan: the :class:`stack_plan.StackPlan` of the parent stack.
    :param name: of the resource, which keeps its nested stack.
    :param attribute: a name, or a tuple of a name and a path.
    :returns: a list of the value. It is empty if the value is not known or
        the attribute is not an output.
    """
    key, *path = [attribute] if isinstance(attribute, str) else attribute
    kind = plan.current_type(name)
    if issubclass(kind, cfn_stack.NestedStack) and key.startswith(_PREFIX):
        key = key.removeprefix(_PREFIX)
    elif not issubclass(kind, template_resource.TemplateResource):
        return []
    try:
        return _resolve_output(plan.child(name), key, path)
    except Exception:
        return []


def _resolve_output(child, key, path):
    if not child.inputs.is_known:
        return []
    definition = child.planned.defn
    output = child.planned.t.outputs(definition)[key]
    for name in output.required_resource_names() & child.new_names:
        child.resolve_resource(name, for_outputs=True)
    with unknown.collect_queries() as queries:
        value = output.get_value()
    return [] if queries else [attributes.select_from_attribute(value, path)]
