# SPDX-License-Identifier: Apache-2.0

"""The templates that groups make for their nested stacks.

What an update stores on its way is not stored here, and what a group asks
other engines about its members is answered from its nested stack.
"""

from heat.common import grouputils
from heat.engine import api
from heat.engine import function
from heat.engine.resources.aws.autoscaling import autoscaling_group
from heat.engine.resources.openstack.heat import autoscaling_group as hot_group
from heat.engine.resources.openstack.heat import instance_group
from heat.engine.resources.openstack.heat import resource_chain
from heat.engine.resources.openstack.heat import resource_group
from heat.rpc import api as rpc_api
from heat.rpc import client as rpc_client

CHAIN = resource_chain.ResourceChain

#: Which property of a group goes into each of its members, by class.
MEMBER = {
    resource_group.ResourceGroup: resource_group.ResourceGroup.RESOURCE_DEF,
    hot_group.AutoScalingResourceGroup:
        hot_group.AutoScalingResourceGroup.RESOURCE,
    CHAIN: CHAIN.RESOURCE_PROPERTIES,
}

# What a resource has from its row, where its stack does not know that.
_STATE = ('id', 'uuid', 'resource_id', 'action', 'status')

# Sorts behind every time that Heat writes.
_LATER = '~'


def is_group(found):
    """Return whether what a resource makes depends on what is there."""
    return isinstance(found, (resource_group.ResourceGroup,
                              instance_group.InstanceGroup))


def is_known(kind):
    """Return whether all is known of what a class makes of its properties."""
    return kind in MEMBER or issubclass(kind, instance_group.InstanceGroup)


def updated_template(found, now):
    """Return the template of a group at the end of its update.

    :param found: the group with its new definition; it is not to be used
        for anything else.
    :param now: the group as it is.
    """
    before = now.nested()
    for name in _STATE:
        setattr(found, name, getattr(now, name))
    found.nested_identifier = before.identifier
    found._nested, found._rpc_client = before, _Client(before)
    if isinstance(found, resource_group.ResourceGroup):
        return _of_resource_group(found)
    return _of_scaling_group(found, now)


class _Client:
    """Stands for heat.rpc.client.EngineClient; knows one stack by itself."""

    def __init__(self, stack):
        self._template = stack.t.t
        self._members = [api.format_stack_resource(resource, detail=False)
                         for resource in stack.iter_resources()]

    def list_stack_resources(self, context, identity):
        return self._members

    def get_template(self, context, identity):
        return self._template

    def update(self, template):
        """Go on as if the stack were updated; the oldest stay so."""
        names = list(template.t.get(template.RESOURCES) or ())
        there = {member[rpc_api.RES_NAME]: member[rpc_api.RES_CREATION_TIME]
                 for member in self._members}
        self._template = template.t
        self._members = [{
            rpc_api.RES_NAME: name, rpc_api.RES_STATUS: 'COMPLETE',
            rpc_api.RES_CREATION_TIME: there.get(name, _LATER)}
            for name in names]

    def __getattr__(self, name):
        return getattr(rpc_client.EngineClient(), name)


def _of_resource_group(found):
    # ResourceGroup.handle_update stores the names to skip first.
    current = set(found._current_skiplist())
    kept = current
    mode = found.properties.get(found.REMOVAL_POLICIES_MODE)
    if mode == found.REMOVAL_POLICY_UPDATE:
        kept = set()
    skipped = kept | set(found._get_new_skiplist_entries(
        found.properties, current))
    found._name_skiplist = lambda: skipped
    return found.child_template()


def _of_scaling_group(found, now):
    # As handle_update of the groups does.
    if _changes_members(found, now):
        _replace(found)
    capacity = grouputils.get_size(found)
    if isinstance(found, autoscaling_group.AutoScalingGroup):
        wanted = found.properties[found.DESIRED_CAPACITY] or capacity
        size = found._get_new_capacity(capacity, wanted)
    else:
        size = found.properties[found.SIZE]
        size = capacity if size is None else size
    return found._create_template(size)


def _changes_members(found, now):
    if isinstance(found, hot_group.AutoScalingResourceGroup):
        key = found.RESOURCE
    elif found.update_policy[found.ROLLING_UPDATE]:
        key = found.LAUNCH_CONFIGURATION_NAME
    else:
        return False
    before = now.frozen_definition()._properties or {}
    after = function.resolve(found.t._properties) or {}
    return before.get(key) != after.get(key)


def _replace(found):
    # As InstanceGroup._replace: which member is the last is not the same
    # after all batches as it would be after one.
    capacity = grouputils.get_size(found, include_failed=True)
    wanted = min(found.get_size() or capacity, capacity)
    for size, changed in found._get_batches(wanted, capacity,
                                            *_batches(found)):
        found._rpc_client.update(found._create_template(size, changed))


def _batches(found):
    if isinstance(found, hot_group.AutoScalingResourceGroup):
        policy = found.properties[found.ROLLING_UPDATES]
        return policy[found.MAX_BATCH_SIZE], policy[found.MIN_IN_SERVICE]
    policy = found.update_policy[found.ROLLING_UPDATE]
    return (policy[found.MAX_BATCH_SIZE],
            policy[found.MIN_INSTANCES_IN_SERVICE])
