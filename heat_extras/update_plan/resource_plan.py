# SPDX-License-Identifier: Apache-2.0

"""What an update would do to a resource: will, may, or can't tell.

A difference that comes only from a resource which changes itself is not
known before the update; the check at the moment of the act decides then.
"""

import copy
import dataclasses

from heat.common import exception
from heat.engine import resource
from heat.engine.resources import stack_resource
from oslo_log import log as logging

from heat_extras.update_plan import change
from heat_extras.update_plan import resource_rows
from heat_extras.update_plan import stack_diff
from heat_extras.update_plan import stack_plan

LOG = logging.getLogger(__name__)

_PLAIN = ('needs_replace', '_needs_update', 'needs_replace_with_tmpl_diff')

UNCHANGED = change.Change()
UNKNOWN = change.Change(change.REPLACE, is_certain=False)


class ResourcePlan:
    """What an update does to each resource of a stack, worked out once."""

    def __init__(self, level):
        self._level = level
        self._effects = {}

    def of(self, name):
        """Return what happens to one resource.

        What it refers to is worked out first, without recursion: chains of
        references may be long.
        """
        pending, seen = [name], set()
        while pending:
            current = pending[-1]
            if current not in seen and current not in self._effects:
                seen.add(current)
                pending.extend(other for other in self._needed(current)
                               if other not in self._effects
                               and other not in seen)
                continue
            pending.pop()
            if current not in self._effects:
                self._effects[current] = self._work_out(current)
        return self._effects[name]

    def _needed(self, name):
        level = self._level
        if name not in level.new_names or not level.exists(name):
            return ()
        return sorted(level.requirements(name)[0])

    def _work_out(self, name):
        try:
            return self._decide(name)
        except Exception as error:
            LOG.debug('What the update does to %(name)s is not known before '
                      'it: %(error)s', {'name': name, 'error': error})
            return UNKNOWN

    def _decide(self, name):
        level = self._level
        if not level.exists(name):
            return UNCHANGED
        row = level.rows[name]
        is_removed = name not in level.new_names
        if resource_rows.row_never_was(row):
            return self._of_what_never_was(name, is_removed)
        if is_removed:
            return change.Change(change.REMOVE)
        before, after = (level.current_definition(name),
                         level.new_definition(name))
        if before is None:
            return UNKNOWN
        old_type, new_type = level.current_type(name), level.new_type(name)
        if (old_type is not new_type
                and not old_type.check_is_substituted(new_type)):
            return change.Change(change.REPLACE, reason='its type changes')
        if before.external_id() or after.external_id():
            # Heat leaves it alone, or refuses the change itself.
            return UNCHANGED
        return self._compare(name, new_type, row)

    def _of_what_never_was(self, name, is_removed):
        if self._level.has_predecessor(name):
            return change.Change(
                change.REMOVE if is_removed else change.REPLACE,
                reason='what it was to replace is still there')
        # Nothing is lost when Heat makes it anew, or not at all.
        return UNCHANGED

    def _compare(self, name, new_type, row):
        changing = self._changing(name)
        if issubclass(new_type, stack_resource.StackResource):
            return self._compare_nested(name, changing)
        if not changing and self._is_plainly_the_same(name, new_type, row):
            return UNCHANGED
        self._level.resolve_references(name)
        found = self._level.current(name)
        if not changing:
            return predict_in_place(found, self._level.new_frozen(name))
        act = predict_in_place(found, _masked(
            found, self._level.new_definition(name), changing))
        return UNKNOWN if act.kind == change.UNCHANGED else act

    def _compare_nested(self, name, changing):
        level = self._level
        found = level.current(name)
        act = predict_in_place(found, level.new_frozen(name))
        if (act.kind == change.UNCHANGED and found.resource_id is not None
                and stack_diff.differs(found.nested(), level.child(name))):
            act = change.Change(change.UPDATE)
        if changing and act.kind != change.REPLACE:
            # Its parameters may change, and nobody knows yet to what.
            return dataclasses.replace(act, is_certain=False,
                                       kind=change.UPDATE)
        return act

    def _changing(self, name):
        """Return the references whose values the update may change."""
        everything, attributes = self._level.requirements(name)
        return {other for other in everything
                if self._may_change(other, other in attributes)}

    def _may_change(self, other, is_attribute):
        if not self._level.exists(other):
            return True
        kind = self._effects[other].kind if other in self._effects else None
        if kind == change.UNCHANGED:
            return False
        return kind != change.UPDATE or is_attribute

    def _is_plainly_the_same(self, name, new_type, row):
        # What Resource._needs_update would find, without making the
        # resource: that asks services for names, and takes time.
        if row.status != 'COMPLETE' or any(
                getattr(new_type, method)
                is not getattr(resource.Resource, method)
                for method in _PLAIN):
            return False
        before = self._level.current_definition(name)
        if row.properties_data is not None:
            before = before.freeze(properties=row.properties_data)
        return before.freeze() == self._level.new_frozen(name)


def predict_in_place(found, after):
    """Ask a resource what a new definition would do to it.

    Of a nested stack this tells nothing: Heat updates that one always, and
    lets the resources inside decide (StackResource._needs_update).

    :param found: the resource as it is; it is not to be used any further.
    """
    before, after = found.frozen_definition(), after.freeze()
    try:
        both = properties(found, after, before)
        if (found._needs_update(after, before, *both, None)
                and is_changed(found, after, before, *both)):
            return change.Change(change.UPDATE)
    except exception.UpdateReplace:
        return change.Change(change.REPLACE, reason=_state(found))
    except exception.NotSupported:
        # An immutable property: Heat refuses that by itself.
        return UNCHANGED
    return UNCHANGED


def is_changed(found, after, before, after_props, before_props):
    """Return whether an update that Heat calls for changes a resource.

    Heat also calls for one when only ``depends_on`` or a condition differs,
    and the legacy engine whenever there is a condition
    (ResourceDefinition.reparse drops it).

    :raises UpdateReplace: when the resource has to be replaced.
    """
    difference = found.update_template_diff(after.freeze(), before)
    if difference and found.needs_replace_with_tmpl_diff(difference):
        raise exception.UpdateReplace(found)
    changed = found.update_template_diff_properties(after_props,
                                                    before_props)
    return bool(difference or changed or _insists(type(found)))


def _insists(kind):
    return (kind._needs_update is not resource.Resource._needs_update
            and not issubclass(kind, stack_resource.StackResource))


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


def _masked(found, after, changing):
    """Give the properties that may change their present values."""
    before = found.frozen_definition()._properties or {}
    masked = copy.copy(after)
    masked._rendering = None
    masked._properties = {
        key: value for key, value in (after._properties or {}).items()
        if not stack_plan.referenced(value)[0] & changing}
    for key in set(after._properties or {}) - set(masked._properties):
        if key in before:
            masked._properties[key] = before[key]
    return masked
