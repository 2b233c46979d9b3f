# SPDX-License-Identifier: Apache-2.0

"""How groups and software deployments are updated.

- A group makes the template of its nested stack from its members. No
  intermediate state of the update is stored. Requests of the group to other
  engines about its members are answered from its nested stack.
- SoftwareDeployment.handle_update decides whether a deployment is replaced. It
  compares the inputs with ``replace_on_change`` with those of the last
  deployment.
"""

import itertools

from heat.common import grouputils
from heat.engine import api
from heat.engine import function
from heat.engine.resources.aws.autoscaling import autoscaling_group
from heat.engine.resources.openstack.heat import autoscaling_group as hot_group
from heat.engine.resources.openstack.heat import instance_group
from heat.engine.resources.openstack.heat import resource_chain
from heat.engine.resources.openstack.heat import resource_group
from heat.engine.resources.openstack.heat import software_config
from heat.engine.resources.openstack.heat import software_deployment
from heat.engine import software_config_io
from heat.engine import template as heat_template
from heat.objects import software_config as config_object
from heat.objects import software_deployment as deployment_object
from heat.rpc import api as rpc_api
from heat.rpc import client as rpc_client

from heat_extras.heat_internals import last_applied
from heat_extras.plan import unknown

CHAIN = resource_chain.ResourceChain

#: The property of a group that its members are made of, by class.
MEMBER = {
    resource_group.ResourceGroup: resource_group.ResourceGroup.RESOURCE_DEF,
    hot_group.AutoScalingResourceGroup:
        hot_group.AutoScalingResourceGroup.RESOURCE,
    CHAIN: CHAIN.RESOURCE_PROPERTIES,
}

_CONFIG = software_deployment.SoftwareDeployment.CONFIG
_VALUES = software_deployment.SoftwareDeployment.INPUT_VALUES
_INPUTS = software_config.SoftwareConfig.INPUTS
_UNKNOWN_CONFIG = (_CONFIG, unknown.ALL)

# Attributes of a resource from its row, which the new resource lacks.
_STATE = ('id', 'uuid', 'resource_id', 'action', 'status')

# Sorts after every timestamp that Heat writes.
_LATER = '~'


def is_group(resource):
    """Return whether a template depends on the existing members."""
    return isinstance(resource, (resource_group.ResourceGroup,
                                 instance_group.InstanceGroup))


def is_known(kind):
    """Return whether it is known how a class uses its properties."""
    return kind in MEMBER or issubclass(kind, instance_group.InstanceGroup)


def is_deployment_group(kind):
    """Return whether the members of a group are software deployments."""
    return issubclass(kind, software_deployment.SoftwareDeploymentGroup)


def properties_of_members(kind, hidden):
    """Return the properties that do not decide the names of members.

    :param hidden: the properties with unknown values, as
        :meth:`stack_plan.StackPlan.unresolved` returns them.
    """
    if not is_deployment_group(kind):
        return {MEMBER.get(
            kind, instance_group.InstanceGroup.LAUNCH_CONFIGURATION_NAME)}
    # The names are known if the keys of this map are known.
    is_map_known = isinstance(hidden.get(kind.SERVERS, {}), dict)
    return kind.properties_schema.keys() - (
        () if is_map_known else {kind.SERVERS})


def updated_template(group, current, list_replaced):
    """Return the template of a group at the end of its update.

    :param group: the group with its new definition. It cannot be used for
        anything else afterwards.
    :param current: the group with its current definition.
    :param list_replaced: a function that returns the names of the members
        that a template would replace.
    """
    nested = current.nested()
    for name in _STATE:
        setattr(group, name, getattr(current, name))
    group.nested_identifier = nested.identifier
    group._nested, group._rpc_client = nested, _Client(nested)
    if isinstance(group, resource_group.ResourceGroup):
        return _resource_group_template(group)
    return _scaling_group_template(group, current, list_replaced)


def give_members(group, nested, template):
    """Let a group see the members that it has at the end of its update.

    :param group: the group with its new definition.
    :param nested: its current nested stack.
    :param template: the new template of the nested stack.
    """
    group.nested_identifier, group._nested = nested.identifier, nested
    group._rpc_client = client = _Client(nested)
    if isinstance(group, resource_group.ResourceGroup):
        removed = sorted(_list_skipped(group))
        group._current_skiplist = lambda: removed
    client.update(template)


class _Client:
    """A heat.rpc.client.EngineClient that answers for one stack itself.

    :ivar applied_members: see :func:`last_applied.correct_members`.
    """

    def __init__(self, stack):
        self._template, self._batches = stack.t.t, 0
        self._members = [api.format_stack_resource(resource, detail=False)
                         for resource in stack.iter_resources()]
        self.applied_members = last_applied.find_members(stack.context,
                                                         stack.id)

    def list_stack_resources(self, context, identity):
        return self._members

    def get_template(self, context, identity):
        return self._template

    def update(self, template, replaced=()):
        """Replace the known members by the resources of a new template.

        Members keep their creation times, unless they are replaced.

        :param replaced: the names of the members that a change replaces.
        """
        names = list(template.t.get(template.RESOURCES) or ())
        changed = self._list_changed(template) if replaced else ()
        created = {member[rpc_api.RES_NAME]: member[rpc_api.RES_CREATION_TIME]
                   for member in self._members
                   if member[rpc_api.RES_NAME] not in replaced
                   or member[rpc_api.RES_NAME] not in changed}
        self._batches += 1
        later = f'{_LATER}{self._batches:06}'
        self._template, self.applied_members = template.t, {}
        self._members = [{
            rpc_api.RES_NAME: name, rpc_api.RES_STATUS: 'COMPLETE',
            rpc_api.RES_CREATION_TIME: created.get(name, later)}
            for name in names]

    def _list_changed(self, template):
        # Same comparison as heat.scaling.template.member_definitions.
        old, new = (heat_template.Template(each).resource_definitions(None)
                    for each in (self._template, template.t))
        return {name for name in new if new[name] != self.applied_members.get(
            name, old.get(name))}

    def __getattr__(self, name):
        return getattr(rpc_client.EngineClient(), name)


def _resource_group_template(group):
    skipped = _list_skipped(group)
    group._name_skiplist = lambda: skipped
    return group.child_template()


def _list_skipped(group):
    # Same as ResourceGroup.handle_update, which first stores these names.
    current = set(last_applied.list_removed(group))
    kept = current
    mode = group.properties.get(group.REMOVAL_POLICIES_MODE)
    if mode == group.REMOVAL_POLICY_UPDATE:
        kept = set()
    return kept | set(group._get_new_skiplist_entries(group.properties,
                                                      current))


def _scaling_group_template(group, current, list_replaced):
    # Same as handle_update of the groups.
    if _changes_members(group, current):
        _replace_members(group, list_replaced)
    capacity = grouputils.get_size(group)
    if isinstance(group, autoscaling_group.AutoScalingGroup):
        wanted = group.properties[group.DESIRED_CAPACITY] or capacity
        size = group._get_new_capacity(capacity, wanted)
    else:
        size = group.properties[group.SIZE]
        size = capacity if size is None else size
    return group._create_template(size)


def _changes_members(group, current):
    if isinstance(group, hot_group.AutoScalingResourceGroup):
        key = group.RESOURCE
    elif group.update_policy[group.ROLLING_UPDATE]:
        key = group.LAUNCH_CONFIGURATION_NAME
    else:
        return False
    before = current.frozen_definition()._properties or {}
    after = function.resolve(group.t._properties) or {}
    return before.get(key) != after.get(key)


def _replace_members(group, list_replaced):
    # Same as InstanceGroup._replace. All batches are needed: the last member
    # can differ from the last member after a single batch.
    capacity = grouputils.get_size(group, include_failed=True)
    wanted = min(group.get_size() or capacity, capacity)
    batches = list(group._get_batches(wanted, capacity,
                                      *_batch_policy(group)))
    replaced = ()
    if any(size != capacity for size, _changed in batches):
        # Their order decides which of them are removed.
        replaced = list_replaced(group._create_template(capacity, capacity))
    for size, changed in batches:
        group._rpc_client.update(group._create_template(size, changed),
                                 replaced)


def _batch_policy(group):
    if isinstance(group, hot_group.AutoScalingResourceGroup):
        policy = group.properties[group.ROLLING_UPDATES]
        return policy[group.MAX_BATCH_SIZE], policy[group.MIN_IN_SERVICE]
    policy = group.update_policy[group.ROLLING_UPDATE]
    return (policy[group.MAX_BATCH_SIZE],
            policy[group.MIN_INSTANCES_IN_SERVICE])


def is_deployment(kind):
    """Return whether a class is a software deployment."""
    return issubclass(kind, software_deployment.SoftwareDeployment)


def replaces_deployment(current, after_props, hidden):
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


def may_replace_deployment(plan, name):
    """Return whether an update may replace a deployment.

    :param plan: the :class:`stack_plan.StackPlan` of its stack.
    """
    current = plan.load_current(name)
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
