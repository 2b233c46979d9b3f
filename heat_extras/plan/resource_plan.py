# SPDX-License-Identifier: Apache-2.0

"""Predict the change of a resource: certain, possible or unknown.

A difference is unknown if it depends on a value that is decided during the
update. Such a resource is checked during the update.
"""

import dataclasses
import inspect

from heat.common import exception
from heat.engine import resource
from heat.engine.resources.openstack.heat import none_resource
from heat.engine.resources import stack_resource

from heat_extras.heat_internals import resource_rows
from heat_extras.plan import change
from heat_extras.plan import deployments
from heat_extras.plan import stack_diff
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


class ResourcePlan:
    """The change of each resource of a stack, computed once.

    :param plan: the :class:`stack_plan.StackPlan` of the stack.
    """

    def __init__(self, plan):
        self._plan = plan
        self._changes = {}

    def predict(self, name):
        """Return the :class:`change.Change` of one resource.

        The resources it refers to are predicted first, without recursion,
        because chains of references may be long. So their values are known
        before another value needs them.
        """
        pending, seen = [name], set()
        while pending:
            current = pending[-1]
            if current not in seen and current not in self._changes:
                seen.add(current)
                pending.extend(
                    other for other in self._referenced_names(current)
                    if other not in self._changes and other not in seen)
                continue
            pending.pop()
            if current not in self._changes:
                self._changes[current] = self._predict_uncached(current)
                self._find_values(current)
        return self._changes[name]

    def _referenced_names(self, name):
        plan = self._plan
        if name not in plan.new_names:
            return ()
        return sorted(plan.requirements(name)[0])

    def _find_values(self, name):
        # Not every prediction needs the values of the new definition.
        if name in self._plan.new_names:
            with unknown.suppress_errors():
                self._plan.unresolved(name)

    def _predict_uncached(self, name):
        with unknown.suppress_errors():
            planned = self._predict_known(name)
            if (not self._plan.exists(name)
                    or self._plan.is_enabled_for_certain(name)):
                return planned
            return planned if not planned.is_known else dataclasses.replace(
                planned.uncertain(), action=change.REMOVE, may_replace=False)
        return UNKNOWN

    def _predict_known(self, name):
        plan = self._plan
        if not plan.exists(name):
            return UNCHANGED
        row = plan.rows[name]
        is_removed = name not in plan.new_names
        if name in plan.present.interrupted and not is_removed:
            self._set_interrupted_action(name, row)
        if (resource_rows.row_was_never_created(row)
                and plan.has_predecessor(name)):
            return change.Change(
                change.REMOVE if is_removed else change.REPLACE,
                reason=HAS_PREDECESSOR)
        if is_removed:
            return change.Change(change.REMOVE)
        before, after = (plan.current_definition(name),
                         plan.new_definition(name))
        if before is None:
            return UNKNOWN
        old_type, new_type = plan.current_type(name), plan.new_type(name)
        if (old_type is not new_type
                and not old_type.check_is_substituted(new_type)):
            return change.Change(change.REPLACE, reason='its type changes')
        if before.external_id() or after.external_id():
            return _predict_external(before, after)
        if name not in plan.present.in_progress:
            return self._compare_definitions(name, new_type, row)
        # A nested stack is not replaced because its operation fails.
        is_kept = (plan.is_nested(name) and row.action != 'DELETE'
                   and self._compare_definitions(name, new_type,
                                                 row).keeps_id)
        return change.Change(change.UPDATE if is_kept else change.REPLACE,
                             is_certain=False)

    def _compare_definitions(self, name, new_type, row):
        plan = self._plan
        plan.resolve_current_references(name)
        hidden = plan.unresolved(name)
        is_all_known = (
            issubclass(new_type, none_resource.NoneResource)
            or not (hidden or plan.has_unresolved_rest(name)))
        if (is_all_known and not _is_nested(new_type)
                and self._is_same_definition(name, new_type, row)):
            return UNCHANGED
        planned = predict_in_place(plan.current(name),
                                   plan.known_definition(name), hidden)
        if planned.action == change.UNCHANGED and _is_nested(new_type):
            if plan.is_nested(name):
                planned = stack_diff.predict_content(plan.child(name))
        elif planned == UNCHANGED and (row.action, row.status) == _UNDELETED:
            return change.Change(change.REMOVE, is_all_known)
        if planned.action == change.UPDATE and _may_ask_for_replacement(
                new_type):
            return dataclasses.replace(planned, may_replace=True)
        if is_all_known or planned.action == change.REPLACE:
            return planned
        may_replace = self._may_replace_unknown(name, new_type, hidden)
        if planned.action == change.UNCHANGED:
            planned = dataclasses.replace(
                planned.uncertain(), action=change.REPLACE if may_replace
                else change.UPDATE)
        return dataclasses.replace(planned, may_replace=may_replace)

    def _may_replace_unknown(self, name, new_type, hidden):
        plan = self._plan
        if not hidden:
            # Its metadata or its update_policy is not known.
            return _is_any_overridden(new_type, _BY_TEMPLATE)
        return _may_replace(plan.load_current(name), new_type, hidden,
                            plan.known_definition(name)) or (
            deployments.is_deployment(new_type)
            and deployments.may_require_replacement(plan, name,
                                                    plan.load_current(name)))

    def _set_interrupted_action(self, name, row):
        # Heat sets UPDATE_FAILED if it finds out that the engine is down when
        # it starts to update the resource.
        plan = self._plan
        if plan.new_type(name) is not plan.current_type(name):
            return
        row.status = 'IN_PROGRESS'
        plan.resolve_current_references(name)
        planned = predict_in_place(plan.load_current(name),
                                   plan.known_definition(name))
        row.status = 'FAILED'
        if planned.action != change.UNCHANGED or plan.is_nested(name):
            row.action = 'UPDATE'

    def _is_same_definition(self, name, new_type, row):
        # Same result as Resource._needs_update, but without a resource
        # object. Creating one is slow and queries services for names.
        if (row.status != 'COMPLETE' or _is_any_overridden(new_type, _PLAIN)
                or deployments.is_deployment(new_type)):
            return False
        before = self._plan.current_definition(name)
        if row.properties_data is not None:
            before = before.freeze(properties=row.properties_data)
        return before.freeze() == self._plan.new_definition(name).freeze()


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


def _may_replace(current, kind, keys, after):
    """Return whether some properties may require a replacement.

    :param current: as in :func:`predict_in_place`.
    :param keys: the names of properties whose values are not known.
    :param after: the new definition, with present values of these properties.
    """
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
        current, keys, after)


def _type_may_replace(current, keys, after):
    """Return whether a resource type may require a replacement.

    It is called as if all unknown properties changed. If it reads one of them,
    the result is True because their values are not known.
    """
    before, after = current.frozen_definition(), after.freeze()
    after_props, before_props = load_properties(current, after, before)
    changed = {key for key in after_props if key in keys
               or value_of(after_props, key) != value_of(before_props, key)}
    watched = unknown.Properties(after_props, keys)
    with unknown.collect_queries() as queries:
        is_required = (current.needs_replace(watched)
                       or current.needs_replace_with_prop_diff(
                           changed, watched, before_props))
    return bool(is_required or queries)


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
            if (deployments.is_deployment(type(current))
                    and deployments.requires_replacement(
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
                or deployments.is_deployment(type(current)))


def _cannot_update(kind):
    """Return whether a type is replaced even if its schema says otherwise."""
    return kind.handle_update is resource.Resource.handle_update


def _may_ask_for_replacement(kind):
    """Return whether a type may decide during the update to be replaced."""
    return (not deployments.is_deployment(kind)
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
