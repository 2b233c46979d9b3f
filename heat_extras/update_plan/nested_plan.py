# SPDX-License-Identifier: Apache-2.0

"""What a nested stack would become, as Heat would make it.

Nothing is stored or changed. The values of references are those that the
stack around it knows; who calls sees to it that it knows them.
"""

import dataclasses

from heat.engine import environment
from heat.engine.resources.aws.cfn import stack as cfn_stack
from heat.engine.resources.openstack.heat import instance_group
from heat.engine.resources import template_resource
from heat.engine import stack as heat_stack

from heat_extras.update_plan import group_templates
from heat_extras.update_plan import unknown


@dataclasses.dataclass(frozen=True)
class Inputs:
    """What is not known yet of what a nested stack will be made of.

    :param is_known: False when its whole template is not.
    :param parameters: names of parameters whose values are not known.
    :param hides_properties: whether no property of a resource is known.
    :param uncertain_names: of the resources that may be in the template, or
        may not.
    :param is_size_known: False where members may be added.
    """

    is_known: bool = True
    parameters: frozenset = frozenset()
    hides_properties: bool = False
    uncertain_names: frozenset = frozenset()
    is_size_known: bool = True

    @property
    def is_any_hidden(self):
        return self.hides_properties or bool(self.parameters)


#: Of a stack whose template and parameters are known, or are not.
KNOWN = Inputs()
UNKNOWN = Inputs(is_known=False, is_size_known=False)


def child_template(found, now=None):
    """Return the heat.engine.template.Template that Heat would store.

    Its environment and its files are those that the nested stack would get.

    :param found: the resource with its new definition; it is not to be used
        for anything else.
    :param now: the resource as it is; None: the update makes a new nested
        stack.
    """
    made = (group_templates.updated_template(found, now)
            if now is not None and group_templates.is_group(found)
            else found.child_template())
    # As StackResource._parse_nested_stack, which also asks other engines how
    # many resources the tree has.
    return found._child_parsed_template(
        made, environment.get_child_environment(
            found.stack.env, found.child_params(),
            child_resource_name=found.name,
            item_to_remove=found.resource_info))


def updated_template(plan, name):
    """Return what an update makes of a nested stack that is there.

    :param plan: the :class:`stack_plan.StackPlan` of the stack around it.
    :param name: of the resource that it is nested in.
    :returns: the template, as :func:`child_template`, and the :class:`Inputs`.
    """
    hidden, kind = plan.unresolved(name), plan.new_type(name)
    now = plan.current(name)
    marked = _marked(kind, hidden)
    made = child_template(plan.new_with(plan.known_definition(name, marked)),
                          now)
    inputs = dataclasses.replace(
        _inputs(kind, hidden, marked, made, set(now.nested().defn
                                                .enabled_rsrc_names())),
        **({} if plan.inputs.is_known else {
            'is_known': False, 'is_size_known': False}))
    if marked and issubclass(kind, instance_group.InstanceGroup):
        # Which members a rolling update leaves depends on whether there is
        # one.
        other = child_template(plan.new_with(plan.known_definition(name)), now)
        inputs = dataclasses.replace(
            inputs, uncertain_names=inputs.uncertain_names | (
                _names(made) ^ _names(other)))
    return made, inputs


def _names(made):
    return frozenset(made.t.get(made.RESOURCES) or ())


def _marked(kind, hidden):
    """Return the property whose unknown values go into the template."""
    key = group_templates.MEMBER.get(kind)
    value = hidden.get(key)
    is_fit = isinstance(value, dict) and (
        kind is group_templates.CHAIN
        or unknown.MARKER not in value.values())
    return (key,) if is_fit else ()


def _inputs(kind, hidden, marked, made, names):
    if not hidden:
        return KNOWN
    if issubclass(kind, template_resource.TemplateResource):
        schemata = frozenset(made.param_schemata())
        return Inputs(parameters=schemata & hidden.keys() or schemata)
    if issubclass(kind, cfn_stack.NestedStack):
        return _of_cfn_stack(kind, hidden, made)
    if not group_templates.is_known(kind):
        return UNKNOWN
    member = group_templates.MEMBER.get(
        kind, instance_group.InstanceGroup.LAUNCH_CONFIGURATION_NAME)
    return Inputs(
        hides_properties=member in hidden and not marked,
        uncertain_names=frozenset(names if hidden.keys() - {member} else ()),
        is_size_known=not hidden.keys() - {member})


def _of_cfn_stack(kind, hidden, made):
    if hidden.keys() - {kind.PARAMETERS}:
        return UNKNOWN
    values = hidden[kind.PARAMETERS]
    return Inputs(parameters=frozenset(
        key for key, value in values.items() if unknown.has_marker(value))
        if isinstance(values, dict) else frozenset(made.param_schemata()))


def new_stack_of(plan, name):
    """Return what an update makes of a nested stack that is new.

    :param plan: as that of :func:`updated_template`.
    :returns: the stack, as :func:`new_stack`, and the :class:`Inputs`.
    """
    hidden, kind = plan.unresolved(name), plan.new_type(name)
    stack = new_stack(plan.new_with(plan.new_definition(name)))
    return stack, _inputs(kind, hidden, (), stack.t, _names(stack.t))


def new_stack(found):
    """Return a nested stack that an update would make anew.

    :param found: as that of :func:`child_template`.
    :returns: a heat.engine.stack.Stack, which has no id.
    """
    around = found.stack
    after = heat_stack.Stack(
        around.context, f'{around.name}-{found.name}', child_template(found),
        disable_rollback=True, parent_resource=found.name,
        owner_id=around.id, user_creds_id=around.user_creds_id,
        stack_user_project_id=around.stack_user_project_id,
        nested_depth=around.nested_depth + 1, strict_validate=False)
    after.set_parent_stack(around)
    return after
