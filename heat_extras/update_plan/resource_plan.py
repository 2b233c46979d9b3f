# SPDX-License-Identifier: Apache-2.0

"""What an update would do to a resource: will, may, or can't tell.

A difference that depends on a value which the update itself decides is not
known in advance. Such a resource is checked during the update.
"""

import dataclasses

from heat.common import exception
from heat.engine import resource
from heat.engine.resources import stack_resource
from oslo_log import log as logging

from heat_extras.update_plan import change
from heat_extras.update_plan import resource_rows
from heat_extras.update_plan import stack_diff
from heat_extras.update_plan import unknown

LOG = logging.getLogger(__name__)

_PLAIN = ('needs_replace', '_needs_update', 'needs_replace_with_tmpl_diff')
_DECIDING = (*_PLAIN, 'needs_replace_with_prop_diff')
_UNPREDICTABLE = ('_needs_update', 'needs_replace_with_tmpl_diff')

#: Why a resource would be replaced that is left of a replacement that failed.
HAS_PREDECESSOR = 'the resource that it was to replace still exists'

#: Why a change is :data:`UNKNOWN`.
NOT_PLANNED = 'what happens to it cannot be worked out before the update'

UNCHANGED = change.Change()
UNKNOWN = change.Change(change.REPLACE, is_certain=False, may_replace=True,
                        reason=NOT_PLANNED, is_known=False)


class ResourcePlan:
    """What an update does to each resource of a stack, worked out once.

    :param plan: the :class:`stack_plan.StackPlan` of the stack.
    """

    def __init__(self, plan):
        self._plan = plan
        self._changes = {}

    def predict(self, name):
        """Return the :class:`change.Change` of one resource.

        What it refers to is worked out first, without recursion: chains of
        references may be long.
        """
        pending, seen = [name], set()
        while pending:
            current = pending[-1]
            if current not in seen and current not in self._changes:
                seen.add(current)
                pending.extend(other for other in self._needed(current)
                               if other not in self._changes
                               and other not in seen)
                continue
            pending.pop()
            if current not in self._changes:
                self._changes[current] = self._work_out(current)
        return self._changes[name]

    def _needed(self, name):
        plan = self._plan
        if name not in plan.new_names or not plan.exists(name):
            return ()
        return sorted(plan.requirements(name)[0])

    def _work_out(self, name):
        try:
            found = self._decide(name)
            if (not self._plan.exists(name)
                    or self._plan.is_enabled_for_certain(name)):
                return found
            if found.action == change.UNCHANGED:
                found = change.Change(change.REMOVE)
            return found.uncertain()
        except Exception as error:
            LOG.debug('The effect of the update on %(name)s cannot be '
                      'predicted: %(error)s', {'name': name, 'error': error})
            return UNKNOWN

    def _decide(self, name):
        plan = self._plan
        if not plan.exists(name):
            return UNCHANGED
        row = plan.rows[name]
        is_removed = name not in plan.new_names
        if resource_rows.row_was_never_created(row):
            return self._decide_never_created(name, is_removed)
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
            # Heat leaves it alone, or refuses the change itself.
            return UNCHANGED
        return self._compare(name, new_type, row)

    def _decide_never_created(self, name, is_removed):
        if self._plan.has_predecessor(name):
            return change.Change(
                change.REMOVE if is_removed else change.REPLACE,
                reason=HAS_PREDECESSOR)
        # Nothing is lost when Heat makes it anew, or not at all.
        return UNCHANGED

    def _compare(self, name, new_type, row):
        plan = self._plan
        plan.resolve_current_references(name)
        hidden = plan.unresolved(name)
        is_all_known = not (hidden or plan.has_unresolved_rest(name))
        if (is_all_known and not _is_nested(new_type)
                and self._is_plainly_the_same(name, new_type, row)):
            return UNCHANGED
        found = plan.current(name)
        act = predict_in_place(found, plan.known_definition(name))
        if (act.action == change.UNCHANGED and _is_nested(new_type)
                and plan.is_nested(name)):
            act = stack_diff.predict(plan.child(name))
        if is_all_known or act.action == change.REPLACE:
            return act
        may_replace = bool(hidden) and _may_replace(
            plan.load_current(name), new_type, hidden,
            plan.known_definition(name))
        if act.action == change.UNCHANGED:
            act = change.Change(change.REPLACE if may_replace
                                else change.UPDATE, is_certain=False)
        return dataclasses.replace(act, may_replace=may_replace)

    def _is_plainly_the_same(self, name, new_type, row):
        # What Resource._needs_update would find, without making the
        # resource: that asks services for names, and takes time.
        if row.status != 'COMPLETE' or _is_any_overridden(new_type, _PLAIN):
            return False
        before = self._plan.current_definition(name)
        if row.properties_data is not None:
            before = before.freeze(properties=row.properties_data)
        return before.freeze() == self._plan.new_definition(name).freeze()


def _is_nested(kind):
    return issubclass(kind, stack_resource.StackResource)


def _is_any_overridden(kind, methods):
    return any(getattr(kind, method) is not getattr(resource.Resource, method)
               for method in methods)


def _may_replace(found, kind, keys, after):
    """Return whether some properties may ask for a replacement.

    :param found: as that of :func:`predict_in_place`.
    :param keys: the names of properties whose values are not known.
    :param after: the new definition, with other values in their places.
    """
    schema = found.properties_schema
    if unknown.ALL in keys:
        keys = schema
    if any(key not in schema or not schema[key].update_allowed
           for key in keys):
        return True
    if _is_nested(kind) or not _is_any_overridden(kind, _DECIDING):
        return False
    return _is_any_overridden(kind, _UNPREDICTABLE) or _decides(
        found, keys, after)


def _decides(found, keys, after):
    """Return whether a type may ask for a replacement because of values.

    It is asked as if all of them changed. What it reads of them counts as a
    yes, as they are not known.
    """
    before, after = found.frozen_definition(), after.freeze()
    after_props, before_props = properties(found, after, before)
    changed = {key for key in after_props if key in keys
               or value_of(after_props, key) != value_of(before_props, key)}
    watched = unknown.Properties(after_props, keys)
    with unknown.collect_queries() as asked:
        is_asked_for = (found.needs_replace(watched)
                        or found.needs_replace_with_prop_diff(
                            changed, watched, before_props))
    return bool(is_asked_for or asked)


def predict_in_place(found, after):
    """Ask a resource what a new definition would do to it.

    Of a nested stack this tells nothing: Heat updates that one always, and
    lets the resources inside decide (StackResource._needs_update).

    :param found: the resource as it is; it is not to be used any further.
    """
    before, after = found.frozen_definition(), after.freeze()
    try:
        both = properties(found, after, before)
        if (found.preview_update(after, before, *both, None,
                                 check_init_complete=True)
                and is_changed(found, after, before, *both)):
            return change.Change(change.UPDATE)
    except exception.UpdateReplace:
        return change.Change(change.REPLACE, reason=_state(found))
    except exception.NotSupported as error:
        # An immutable property: Heat refuses that by itself.
        return change.Change(reason=str(error))
    return UNCHANGED


def is_changed(found, after, before, after_props, before_props):
    """Return whether an update that Heat calls for changes a resource.

    Heat also calls for one when only ``depends_on``, a condition or the
    spelling of a value differs, and the legacy engine whenever there is a
    condition (ResourceDefinition.reparse drops it).

    :raises UpdateReplace: when the resource has to be replaced.
    """
    difference = found.update_template_diff(after.freeze(), before)
    if difference and found.needs_replace_with_tmpl_diff(difference):
        raise exception.UpdateReplace(found)
    try:
        changed = found.update_template_diff_properties(after_props,
                                                        before_props)
    except ValueError:
        # A required property is missing: Heat's validation, which comes
        # later, reports it.
        changed = True
    if _is_nested(type(found)):
        # What the properties come to in the nested stack counts.
        changed = {}
    return bool(changed or difference.update_policy_changed()
                # An empty map and none at all are the same to Heat.
                or after.freeze().metadata() != before.metadata()
                or _insists(type(found)))


def _insists(kind):
    return (kind._needs_update is not resource.Resource._needs_update
            and not _is_nested(kind))


def changed_properties(found, after):
    """List the properties that differ in a new definition.

    :param found: as that of :func:`predict_in_place`.
    :returns: pairs of a name and whether it forces a replacement.
    """
    before, after = found.frozen_definition(), after.freeze()
    after_props, before_props = properties(found, after, before)
    allowed = found.calc_update_allowed(after_props)
    return [(key, key not in allowed) for key in sorted(after_props)
            if value_of(after_props, key) != value_of(before_props, key)]


def value_of(props, key):
    try:
        return props.get(key)
    except (TypeError, ValueError):
        # It does not fit its schema, or is missing.
        return None


def properties(found, after, before):
    """Return the new and the old properties, as Resource.update has them.

    Without the live state, for which a service would have to be asked.
    """
    before_props = before.properties(found.properties_schema, found.context)
    found.regenerate_info_schema(after)
    after.set_translation_rules(found.translation_rules(found.properties))
    after_props = after.properties(found.properties_schema, found.context)
    found.translate_properties(after_props)
    found.translate_properties(before_props, ignore_resolve_error=True)
    return after_props, before_props


def _state(found):
    if found.status == found.FAILED:
        return f'it is {found.action}_{found.status}'
    return None
