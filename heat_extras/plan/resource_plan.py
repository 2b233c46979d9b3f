# SPDX-License-Identifier: Apache-2.0

"""Predict the change of a resource: certain, possible or unknown.

A difference is unknown if it depends on a value that is decided during the
update. Such a resource is checked during the update.
"""

import collections.abc
import dataclasses
import inspect

from heat.common import exception
from heat.engine import resource
from heat.engine.resources.openstack.heat import none_resource
from heat.engine.resources import stack_resource

from heat_extras.heat_internals import resource_rows
from heat_extras.plan import change
from heat_extras.plan import nested_plan
from heat_extras.plan import resource_types
from heat_extras.plan import unknown

_PLAIN = ('needs_replace', '_needs_update', 'needs_replace_with_tmpl_diff')
_DECIDING = (*_PLAIN, 'needs_replace_with_prop_diff')
_LATE = ('handle_update', 'check_update_complete')
_BY_TEMPLATE = ('needs_replace_with_tmpl_diff',)
_UNPREDICTABLE = ('_needs_update', *_BY_TEMPLATE)

# Heat sets such a resource to DELETE_COMPLETE if it does not replace or update
# it (Resource._persist_update_no_change).
_UNDELETED = ('DELETE', 'FAILED')

#: The reason for a replacement whose earlier attempt failed.
HAS_PREDECESSOR = ('an earlier replacement failed, and the old resource still '
                   'exists')

#: The reason of :data:`UNKNOWN`.
NOT_PLANNED = 'its change cannot be determined before the update'

UNCHANGED = change.Change()
UNKNOWN = change.Change(change.REPLACE, is_certain=False, may_replace=True,
                        reason=NOT_PLANNED, is_known=False)


def predict(plan, name):
    """Return the :class:`change.Change` of a resource.

    The changes of the resources that it refers to are known before.

    :param plan: the :class:`stack_plan.StackPlan` of the stack.
    """
    with unknown.suppress_errors():
        planned = _predict_known(plan, name)
        if not (plan.exists(name) and planned.is_known) or (
                plan.is_enabled_for_certain(name)):
            return planned
        return dataclasses.replace(
            planned.uncertain(), action=change.REMOVE, may_replace=False)
    return UNKNOWN


def _predict_known(plan, name):
    if not plan.exists(name):
        return UNCHANGED
    row, is_removed = plan.rows[name], name not in plan.new_names
    if name in plan.present.interrupted and not is_removed:
        _set_interrupted_action(plan, name, row)
    if (resource_rows.row_was_never_created(row)
            and plan.has_predecessor(name)):
        return change.Change(change.REMOVE if is_removed else change.REPLACE,
                             reason=HAS_PREDECESSOR)
    if is_removed:
        return change.Change(change.REMOVE)
    before, after = plan.current_definition(name), plan.new_definition(name)
    if before is None:
        return UNKNOWN
    if plan.changes_type(name):
        return change.Change(change.REPLACE, reason='its type changes')
    if before.external_id() or after.external_id():
        return _predict_external(before, after)
    if name not in plan.present.in_progress:
        return _compare_definitions(plan, name, row)
    # A nested stack is not replaced because its operation fails.
    is_kept = (plan.is_nested(name) and row.action != 'DELETE'
               and _compare_definitions(plan, name, row).keeps_id)
    return change.Change(change.UPDATE if is_kept else change.REPLACE,
                         is_certain=False)


def _compare_definitions(plan, name, row):
    new_type = plan.new_type(name)
    plan.resolve_current_references(name)
    hidden = plan.unresolved(name)
    is_all_known = (issubclass(new_type, none_resource.NoneResource)
                    or not (hidden or plan.has_unresolved_rest(name)))
    if (is_all_known and not _is_nested(new_type)
            and _is_same_definition(plan, name, row)):
        return UNCHANGED
    planned = predict_in_place(plan.current(name), plan.known_definition(name),
                               hidden)
    if planned.action == change.UNCHANGED and _is_nested(new_type):
        if plan.is_nested(name):
            planned = nested_plan.predict_content(plan.child(name))
    elif planned == UNCHANGED and (row.action, row.status) == _UNDELETED:
        return change.Change(change.REMOVE, is_all_known)
    if planned.action == change.UPDATE and _may_ask_for_replacement(new_type):
        return dataclasses.replace(planned, may_replace=True)
    if is_all_known or planned.action == change.REPLACE:
        return planned
    may_replace = _may_replace_unknown(plan, name, new_type, hidden)
    if planned.action == change.UNCHANGED:
        planned = dataclasses.replace(
            planned.uncertain(),
            action=change.REPLACE if may_replace else change.UPDATE)
    return dataclasses.replace(planned, may_replace=may_replace)


def _may_replace_unknown(plan, name, new_type, hidden):
    if not hidden:
        # Its metadata or its update_policy is not known.
        return _is_any_overridden(new_type, _BY_TEMPLATE)
    return _may_replace(plan, name, new_type, hidden) or (
        resource_types.is_deployment(new_type)
        and resource_types.may_replace_deployment(plan, name))


def _set_interrupted_action(plan, name, row):
    # Heat sets UPDATE_FAILED if it finds out that the engine is down when it
    # starts to update the resource.
    if plan.new_type(name) is not plan.current_type(name):
        return
    row.status = 'IN_PROGRESS'
    plan.resolve_current_references(name)
    planned = predict_in_place(plan.load_current(name),
                               plan.known_definition(name))
    row.status = 'FAILED'
    if planned.action != change.UNCHANGED or plan.is_nested(name):
        row.action = 'UPDATE'


def _is_same_definition(plan, name, row):
    # Same result as Resource._needs_update, but without a resource object.
    # Creating one is slow and queries services for names.
    new_type = plan.new_type(name)
    if (row.status != 'COMPLETE' or _is_any_overridden(new_type, _PLAIN)
            or resource_types.is_deployment(new_type)):
        return False
    before = plan.current_definition(name)
    if row.properties_data is not None:
        before = before.freeze(properties=row.properties_data)
    return before.freeze() == plan.new_definition(name).freeze()


def _predict_external(before, after):
    # Same as Resource.update, which does nothing else with such a resource.
    if before.external_id() == after.external_id():
        return UNCHANGED
    return change.Change(rejection='Heat cannot change the external_id of '
                                   f'resource {after.name}.')


def _is_nested(kind):
    return issubclass(kind, stack_resource.StackResource)


def _is_any_overridden(kind, methods):
    return any(getattr(kind, method) is not getattr(resource.Resource, method)
               for method in methods)


def _may_replace(plan, name, kind, keys):
    """Return whether some properties may require a replacement.

    :param keys: the names of properties whose values are not known.
    """
    current = plan.load_current(name)
    schema = current.properties_schema
    if unknown.ALL in keys:
        keys = schema
    if _cannot_update(kind) or any(
            key not in schema or not schema[key].update_allowed
            for key in keys):
        return True
    if _is_nested(kind) or not _is_any_overridden(kind, _DECIDING):
        return False
    return _is_any_overridden(kind, _UNPREDICTABLE) or _type_may_replace(
        current, keys, plan.known_definition(name))


def _type_may_replace(current, keys, after):
    """Return whether a resource type may require a replacement.

    It is called as if all unknown properties changed. If it reads one of them,
    the result is True because their values are not known.
    """
    before, after = current.frozen_definition(), after.freeze()
    after_props, before_props = load_properties(current, after, before)
    changed = {key for key in after_props if key in keys
               or value_of(after_props, key) != value_of(before_props, key)}
    watched = _WatchedProperties(after_props, keys)
    return bool(current.needs_replace(watched)
                or current.needs_replace_with_prop_diff(
                    changed, watched, before_props) or watched.is_queried)


class _WatchedProperties(collections.abc.Mapping):
    """A heat.engine.properties.Properties that records its use.

    :param properties: the Properties with present values.
    :param keys: the names of properties with unknown values.
    :ivar is_queried: whether one of their values was read.
    """

    def __init__(self, properties, keys):
        self._properties, self._keys = properties, keys
        self.is_queried = False

    def __getitem__(self, key):
        self.is_queried |= key in self._keys
        return self._properties[key]

    def __iter__(self):
        return iter(self._properties)

    def __len__(self):
        return len(self._properties)

    def __getattr__(self, name):
        self.is_queried = True
        return getattr(self._properties, name)


def predict_in_place(current, after, hidden=frozenset()):
    """Predict the change of a resource by a new definition.

    For a nested stack the result is no prediction. Heat always updates nested
    stacks, and the resources inside decide (StackResource._needs_update).

    :param current: the resource with its current definition. It cannot be
        used afterwards.
    :param hidden: the names of properties with unknown values.
    """
    before, after = current.frozen_definition(), _as_updated(current, after)
    try:
        both = load_properties(current, after, before)
        if (current.preview_update(after, before, *both, None,
                                   check_init_complete=True)
                and is_changed(current, after, before, *both)):
            if (resource_types.is_deployment(type(current))
                    and resource_types.replaces_deployment(
                        current, both[0], {*hidden})):
                return change.Change(change.REPLACE)
            return change.Change(change.UPDATE)
    except exception.UpdateReplace:
        return change.Change(
            change.REPLACE, reason=f'it is {current.action}_FAILED'
            if current.status == current.FAILED else None)
    except exception.NotSupported as error:
        # An immutable property: Heat itself rejects the change.
        return change.Change(rejection=str(error))
    except exception.NotFound as error:
        # Heat asks for the deployment and its config, as here.
        return change.Change(rejection_type='NotFound', rejection=(
            f'{error}. Mark its resource as unhealthy, so that the update '
            'replaces it.'))
    return UNCHANGED


def _as_updated(current, after):
    """Return a definition as Heat passes it to Resource.update.

    The legacy engine drops its condition (ResourceDefinition.reparse).
    """
    return (after.freeze() if current.stack.convergence
            else after.freeze(condition=None))


def is_changed(current, after, before, after_props, before_props):
    """Return whether an update that Heat considers necessary has an effect.

    Heat also updates a resource if only ``depends_on``, a condition or the
    spelling of a value differs. The legacy engine also updates each resource
    that has a condition, but not if it only gets one: see
    :func:`_as_updated`.

    :raises UpdateReplace: if the resource must be replaced.
    """
    difference = current.update_template_diff(after.freeze(), before)
    if difference and current.needs_replace_with_tmpl_diff(difference):
        raise exception.UpdateReplace(current)
    try:
        changed = current.update_template_diff_properties(after_props,
                                                          before_props)
    except ValueError:
        # A required property is missing. Heat's validation reports it later.
        changed = True
    if _is_nested(type(current)):
        # Only the effect of the properties in the nested stack counts.
        changed = {}
    elif isinstance(changed, dict) and changed and _cannot_update(
            type(current)):
        raise exception.UpdateReplace(current)
    return bool(changed or difference.update_policy_changed()
                # Heat does not distinguish an empty map from a missing map.
                or after.freeze().metadata() != before.metadata()
                or (type(current)._needs_update
                    is not resource.Resource._needs_update
                    and not _is_nested(type(current)))
                # Heat starts each of its updates on the server.
                or resource_types.is_deployment(type(current)))


def _cannot_update(kind):
    """Return whether a type is replaced even if its schema says otherwise."""
    return kind.handle_update is resource.Resource.handle_update


def _may_ask_for_replacement(kind):
    """Return whether a type may decide during the update to be replaced."""
    return (not resource_types.is_deployment(kind)
            and exception.UpdateReplace.__name__ in late_names(kind))


def late_names(kind):
    """Return the names in the methods of a type that run in its update."""
    return {name for base in kind.__mro__ if base is not resource.Resource
            for method in map(vars(base).get, _LATE)
            if inspect.isfunction(method)
            for name in method.__code__.co_names}


def keeps_attributes(plan, name):
    """Return whether at most the metadata or an update policy changes.

    A type without its own update is replaced if a property changes.
    """
    planned = plan.predict(name)
    return planned == UNCHANGED or (
        planned.action == change.UPDATE and planned.keeps_id
        and planned.is_known and name in plan.new_names
        and _cannot_update(plan.new_type(name)))


def changed_properties(current, after):
    """List the properties that differ in a new definition.

    :param current: as in :func:`predict_in_place`.
    :returns: pairs of a name and whether it forces a replacement.
    """
    before, after = current.frozen_definition(), after.freeze()
    after_props, before_props = load_properties(current, after, before)
    allowed = current.calc_update_allowed(after_props)
    return [(key, key not in allowed) for key in sorted(after_props)
            if value_of(after_props, key) != value_of(before_props, key)]


def value_of(props, key):
    """Return the value of a property, or None if it is not valid."""
    try:
        return props.get(key)
    except (TypeError, ValueError):
        # The value is missing or does not match its schema.
        return None


def load_properties(current, after, before):
    """Return the new and the old properties, as in Resource.update.

    The live state is ignored, because it would require calls to services.
    """
    before_props = before.properties(current.properties_schema,
                                     current.context)
    current.regenerate_info_schema(after)
    after.set_translation_rules(current.translation_rules(current.properties))
    after_props = after.properties(current.properties_schema, current.context)
    current.translate_properties(after_props)
    current.translate_properties(before_props, ignore_resolve_error=True)
    return after_props, before_props
