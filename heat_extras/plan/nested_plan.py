# SPDX-License-Identifier: Apache-2.0

"""The template and parameters of a nested stack after an update.

No row or stack is changed. References have the values in the parent stack,
which the caller must set first. A comparison with the present template and
parameters ignores a different spelling of a value, a default that is written
out, and a different ``allow``.
"""

import dataclasses
import functools

from heat.engine import environment
from heat.engine import function
from heat.engine import properties
from heat.engine.resources.aws.cfn import stack as cfn_stack
from heat.engine.resources.openstack.heat import instance_group
from heat.engine.resources.openstack.heat import none_resource
from heat.engine.resources.openstack.heat import resource_group
from heat.engine.resources import template_resource
from heat.engine import stack as heat_stack
from oslo_serialization import jsonutils

from heat_extras.db import template_rewrite
from heat_extras.plan import change
from heat_extras.plan import resource_types
from heat_extras.plan import unknown


@dataclasses.dataclass(frozen=True)
class Inputs:
    """The unknown parts of a nested stack's template and parameters.

    :param is_known: False if the whole template is unknown.
    :param parameters: the new values of parameters that are not known, by
        name, with an :data:`unknown.MARKER` for each unknown part.
    :param hides_properties: whether all properties of resources are unknown.
    :param uncertain_names: of resources that may or may not be in the
        template.
    :param is_size_known: False if members may be added.
    :param keeps_policies: whether the deletion policy and the update policy of
        the parent resource stay the same.
    :param deployment_group: the :class:`stack_plan.StackPlan` and the name of
        the group, if its members are software deployments.
    """

    is_known: bool = True
    parameters: dict = dataclasses.field(default_factory=dict)
    hides_properties: bool = False
    uncertain_names: frozenset = frozenset()
    is_size_known: bool = True
    keeps_policies: bool = True
    deployment_group: tuple | None = None

    @property
    def is_any_hidden(self):
        return self.hides_properties or bool(self.parameters)


# Values that may contain a marker, by the type of their property.
_MARKABLE = {properties.Schema.STRING: str, properties.Schema.MAP: dict,
             properties.Schema.LIST: list}

_MAYBE_UPDATED = change.Change(change.UPDATE, is_certain=False)

#: All is known, or all is unknown.
KNOWN = Inputs()
UNKNOWN = Inputs(is_known=False, is_size_known=False)


def child_template(resource, current=None, list_replaced=None):
    """Return the heat.engine.template.Template that Heat would store.

    It has the environment and the files of the future nested stack.

    :param resource: the resource with its new definition. It cannot be used
        for anything else afterwards.
    :param current: the resource with its current definition. None if the
        update creates a new nested stack.
    :param list_replaced: a function that returns the names of the resources
        that a template would replace in the nested stack.
    """
    def parse(made):
        # Same as StackResource._parse_nested_stack, which also asks other
        # engines how many resources the tree has.
        return resource._child_parsed_template(
            made, environment.get_child_environment(
                resource.stack.env, resource.child_params(),
                child_resource_name=resource.name,
                item_to_remove=resource.resource_info))

    if current is not None and not resource.stack.convergence:
        # The legacy engine updates the resource in the current stack.
        resource.referenced_attrs = current.referenced_attrs
    if current is None or not resource_types.is_group(resource):
        return parse(resource.child_template())
    return parse(resource_types.updated_template(
        resource, current, lambda made: list_replaced(parse(made))))


def updated_template(plan, name):
    """Return the new template of an existing nested stack.

    :param plan: the :class:`stack_plan.StackPlan` of the parent stack.
    :param name: of the resource that has the nested stack.
    :returns: the template, as :func:`child_template`, and the :class:`Inputs`.
    """
    hidden, kind = plan.unresolved(name), plan.new_type(name)
    current, marked = plan.current(name), _marked(kind, hidden)

    def make(kept):
        return child_template(
            plan.new_with(plan.known_definition(name, kept)), current,
            functools.partial(_list_replaced, plan, name))

    made = make(marked)
    # After a failed update, its template can lack resources that exist.
    nested = current.nested()
    rows = nested.db_active_resources_get() or {}
    names = {row.name for row in rows.values()}.union(
        nested.defn.enabled_rsrc_names())
    inputs = _inputs(kind, {
        key: value for key, value in hidden.items()
        if not _keeps_members(plan, name, kind, key)}, marked, made, names)
    uncertain, is_size_known = inputs.uncertain_names, inputs.is_size_known
    is_of_deployments = resource_types.is_deployment_group(kind)
    if is_of_deployments:
        uncertain |= _exchanged_names(plan, name, names, _resource_names(made))
    elif issubclass(kind, instance_group.InstanceGroup):
        if any(row.status == 'IN_PROGRESS' for row in rows.values()):
            # A group removes members first that have failed.
            uncertain, is_size_known = frozenset(names), False
        if marked:
            # A rolling update decides which members remain.
            uncertain |= _resource_names(made) ^ _resource_names(make(()))
    return made, dataclasses.replace(
        inputs, is_known=inputs.is_known and plan.inputs.is_known,
        uncertain_names=uncertain,
        is_size_known=is_size_known and plan.inputs.is_known,
        keeps_policies=_keeps_policies(plan, name),
        deployment_group=(plan, name) if is_of_deployments else None)


def _exchanged_names(plan, name, before, after):
    """Return the deployments of which Heat adds and removes only some.

    In batches, Heat keeps old names up to the new number of deployments.
    """
    policy = plan.new_with(plan.known_definition(name)).update_policy
    is_in_batches = (plan.has_unresolved_rest(name) or policy[
        resource_group.ResourceGroup.ROLLING_UPDATE])
    return (before ^ after if is_in_batches and before - after
            and after - before else frozenset())


def _keeps_policies(plan, name):
    # The legacy engine stores the new template of the parent stack when the
    # nested stack is complete (StackUpdate._process_new_resource_update).
    if not plan.stack.convergence:
        return True
    before, after = plan.current_definition(name), plan.new_definition(name)
    return not plan.has_unresolved_rest(name) and (
        before.deletion_policy() == after.deletion_policy()
        and function.resolve(before._update_policy)
        == function.resolve(after._update_policy))


def _list_replaced(plan, name, template):
    """Return the resources of a nested stack that a template replaces."""
    inner = plan.present_child(name, template)
    return {each for each in inner.existing_names()
            if each in inner.new_names
            and inner.predict(each).shown_action == change.REPLACE}


def _resource_names(made):
    return frozenset(made.t.get(made.RESOURCES) or ())


def _marked(kind, hidden):
    """Return the properties whose unknown values appear in the template."""
    if resource_types.is_deployment_group(kind):
        return tuple(key for key in hidden if key in kind.properties_schema
                     and isinstance(hidden[key], _MARKABLE.get(
                         kind.properties_schema[key].type, ())))
    key = resource_types.MEMBER.get(kind)
    value = hidden.get(key)
    is_fit = isinstance(value, dict) and (
        kind is resource_types.CHAIN
        or unknown.MARKER not in value.values())
    return (key,) if is_fit else ()


def _keeps_members(plan, name, kind, key):
    """Return whether existing members ignore a property.

    Without a rolling update, only new members use a new launch configuration
    (InstanceGroup._get_new_capacity and _create_template).
    """
    if key != instance_group.InstanceGroup.LAUNCH_CONFIGURATION_NAME or (
            not issubclass(kind, instance_group.InstanceGroup)):
        return False
    policy = plan.new_with(plan.known_definition(name)).update_policy
    return not policy[kind.ROLLING_UPDATE]


def _inputs(kind, hidden, marked, made, names):
    if not hidden:
        return KNOWN
    if issubclass(kind, template_resource.TemplateResource):
        schemata = made.param_schemata().keys()
        return Inputs(parameters={
            key: hidden.get(key, unknown.MARKER)
            for key in schemata & hidden.keys() or schemata})
    if issubclass(kind, cfn_stack.NestedStack):
        return _cfn_stack_inputs(kind, hidden, made)
    if not (resource_types.is_known(kind)
            or resource_types.is_deployment_group(kind)):
        return UNKNOWN
    rest = hidden.keys() - {*marked}
    others = rest - resource_types.properties_of_members(kind, hidden)
    return Inputs(
        hides_properties=rest != others,
        uncertain_names=frozenset(names if others else ()),
        is_size_known=not others)


def _cfn_stack_inputs(kind, hidden, made):
    if hidden.keys() - {kind.PARAMETERS}:
        return UNKNOWN
    values = hidden[kind.PARAMETERS]
    if not isinstance(values, dict):
        values = dict.fromkeys(made.param_schemata(), unknown.MARKER)
    return Inputs(parameters={key: value for key, value in values.items()
                              if unknown.has_marker(value)})


def new_stack_of(plan, name):
    """Return the nested stack that an update would create.

    :param plan: as in :func:`updated_template`.
    :param name: of the resource that will have the nested stack.
    :returns: the stack, as :func:`new_stack`, and the :class:`Inputs`.
    """
    hidden, kind = plan.unresolved(name), plan.new_type(name)
    created = plan.new_with(plan.new_definition(name))
    # The nested stack and the data of a replaced resource are not used.
    created.id = created.resource_id = created._data = None
    stack = new_stack(created)
    return stack, _inputs(kind, hidden, (), stack.t, _resource_names(stack.t))


def new_stack(resource):
    """Return the nested stack that Heat would create for a resource.

    :param resource: as in :func:`child_template`.
    :returns: a heat.engine.stack.Stack, which has no id. Its owner is the
        nearest stack around it that exists.
    """
    parent = resource.stack
    nested = heat_stack.Stack(
        parent.context, f'{parent.name}-{resource.name}',
        child_template(resource),
        disable_rollback=True, parent_resource=resource.name,
        owner_id=parent.id or parent.owner_id,
        user_creds_id=parent.user_creds_id,
        stack_user_project_id=parent.stack_user_project_id,
        nested_depth=parent.nested_depth + 1, strict_validate=False)
    nested.set_parent_stack(parent)
    return nested


def predict_content(plan):
    """Return the change of the template and parameters of a stack.

    :param plan: its :class:`stack_plan.StackPlan`.
    :returns: a :class:`change.Change`, never a replacement.
    """
    if not plan.inputs.is_known:
        return _MAYBE_UPDATED
    changes = [each for each in _differences(plan)
               if each.action != change.UNCHANGED]
    certain = [each for each in changes if each.is_certain]
    return (certain or changes or [change.Change()])[0]


def _differences(plan):
    before, after = plan.stack.defn, plan.planned.defn
    old, new = _document(before.t), _document(after.t)
    old_resources, new_resources = (
        document.pop(template.RESOURCES, None) or {}
        for document, template in ((old, before.t), (new, after.t)))
    hidden = plan.inputs.parameters
    if old != new or _values(before.parameters, hidden) != _values(
            after.parameters, hidden):
        yield change.Change(change.UPDATE)
    if plan.inputs.is_any_hidden:
        yield _MAYBE_UPDATED
    old_names, new_names = (
        defn.enabled_rsrc_names() for defn in (before, after))
    for name in sorted(old_resources.keys() | new_resources.keys()):
        if (name in old_names) != (name in new_names) or not (
                name in old_resources and name in new_resources):
            yield change.Change(change.UPDATE,
                                plan.is_enabled_for_certain(name))
        elif old_resources[name] != new_resources[name]:
            yield _predict_resource(plan, name, old_resources[name],
                                    new_resources[name])


def _predict_resource(plan, name, old, new):
    """Return the change of a template by one resource in it."""
    template = plan.planned.defn.t
    if (not plan.exists(name) or name not in plan.new_names
            or _without_resolved(template, old)
            != _without_resolved(template, new)):
        return change.Change(change.UPDATE)
    planned = plan.predict(name)
    if planned.action != change.UNCHANGED:
        return change.Change(change.UPDATE, planned.is_certain)
    return (_compare_ignored(plan, name) if _ignores_properties(plan, name)
            else change.Change())


def _without_resolved(template, body):
    """Return the parts of a resource that Heat does not resolve."""
    rest = {key: value for key, value in body.items() if key not in (
        template.RES_PROPERTIES, template.RES_METADATA,
        template.RES_UPDATE_POLICY)}
    # The legacy engine stores it as a list.
    names = rest.pop(template.RES_DEPENDS_ON, None) or []
    return rest, [names] if isinstance(names, str) else names


def _ignores_properties(plan, name):
    return (issubclass(plan.new_type(name), none_resource.NoneResource)
            or plan.new_definition(name).external_id() is not None)


def _compare_ignored(plan, name):
    """Return the change of a template by properties without an effect."""
    before, after = ((each._properties, each._metadata) for each in (
        plan.current_definition(name), plan.new_definition(name)))
    if plan.unresolved(name) or list(
            function.dependencies(before)):
        return _MAYBE_UPDATED
    return change.Change(
        change.UNCHANGED if function.resolve(before) == function.resolve(after)
        else change.UPDATE)


def stack_content(definition):
    """Return the template and parameters of a stack, for a comparison.

    :param definition: a heat.engine.stk_defn.StackDefinition.
    """
    return [_document(definition.t), _values(definition.parameters)]


def _document(template):
    document = jsonutils.loads(jsonutils.dumps(template.t))
    resources = document.get('resources') or {}
    for name, body in resources.items():
        resources[name] = template_rewrite.without_allow(body)
    return document


def _values(parameters, hidden=()):
    return {name: value for name, value in parameters.items()
            if '::' not in name and name not in hidden}
