# SPDX-License-Identifier: Apache-2.0

"""The template that an update would give to a nested stack."""

from heat.common import grouputils
from heat.engine import function
from heat.engine.resources.aws.autoscaling import autoscaling_group
from heat.engine.resources.openstack.heat import autoscaling_group as hot_group
from heat.engine.resources.openstack.heat import instance_group
from heat.engine.resources.openstack.heat import resource_group
from oslo_serialization import jsonutils

from heat_extras.update_policy import allow


def of(level, name):
    """Return the definition of the nested stack after the update.

    :returns: a heat.engine.stk_defn.StackDefinition.
    """
    if name not in level.children:
        level.know_references(name)
        found = level.new(name)
        level.children[name] = found.child_definition(
            _template(level, name, found))
    return level.children[name]


def differs(stack, definition):
    """Return whether a nested stack would be another one after an update.

    What stands in ``allow`` does not count.
    """
    return content(stack.defn) != content(definition)


def content(definition):
    """Return what makes up a nested stack; ``allow`` does not count."""
    return [_document(definition.t), _values(definition.parameters)]


def _document(template):
    document = jsonutils.loads(jsonutils.dumps(template.t))
    for resource in (document.get('resources') or {}).values():
        policy = resource.get('update_policy')
        if isinstance(policy, dict):
            policy.pop(allow.KEY, None)
            if not policy:
                del resource['update_policy']
    return document


def _values(parameters):
    return {name: value for name, value in parameters.items()
            if '::' not in name}


def _template(level, name, found):
    if isinstance(found, resource_group.ResourceGroup):
        return _of_resource_group(found)
    if isinstance(found, instance_group.InstanceGroup):
        return _of_scaling_group(level, name, found)
    return found.child_template()


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


def _of_scaling_group(level, name, found):
    # As handle_update of the groups does, at the end of a rolling update.
    capacity = grouputils.get_size(found)
    if isinstance(found, autoscaling_group.AutoScalingGroup):
        wanted = found.properties[found.DESIRED_CAPACITY] or capacity
        size = found._get_new_capacity(capacity, wanted)
    else:
        size = found.properties[found.SIZE]
        size = capacity if size is None else size
    replaced = size if _changes_members(level, name, found) else 0
    return found._create_template(size, replaced)


def _changes_members(level, name, found):
    if isinstance(found, hot_group.AutoScalingResourceGroup):
        key = found.RESOURCE
    elif found.update_policy[found.ROLLING_UPDATE]:
        key = found.LAUNCH_CONFIGURATION_NAME
    else:
        return False
    before = level.current(name).frozen_definition()._properties or {}
    after = function.resolve(found.t._properties) or {}
    return before.get(key) != after.get(key)
