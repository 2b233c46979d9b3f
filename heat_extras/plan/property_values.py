# SPDX-License-Identifier: Apache-2.0

"""The values of changed properties, in the response of a preview."""

from heat_extras.plan import change
from heat_extras.plan import reasons
from heat_extras.plan import unknown
from heat_extras.plan import values

_CHANGES = (change.ADD, change.UPDATE, change.REPLACE)


class PropertyValues:
    """Lists the values of one resource after another, each one bounded.

    :param hidden: the :class:`hidden_values.HiddenValues` of the stack tree.
    """

    def __init__(self, hidden):
        self._hidden, self._size = hidden, 0

    def list_reasons(self, entry):
        """List the bodies of the reasons of a change, without a value."""
        found = reasons.list_reasons(entry)
        if any(each.sources for each in found):
            hidden = self._hidden.find(entry)
            found = [reasons.without_sources(each) if hidden.hides_sources(
                each.name or unknown.ALL) else each for each in found]
        return list(map(reasons.describe_reason, found))

    def list_bodies(self, entry):
        """List the bodies of the values that change in a resource.

        :param entry: its :class:`tree_plan.Entry`.
        """
        planned = entry.own_change
        if (planned is None or planned.action not in _CHANGES
                or not planned.is_known
                or entry.name not in entry.plan.new_names):
            return []
        with unknown.suppress_errors():
            # A list, so that an error does not leave a part.
            return list(self._bodies(entry))
        return []

    def _bodies(self, entry):
        plan, name = entry.plan, entry.name
        before, after, forced = (_changed_values(plan, name)
                                 if plan.exists(name)
                                 else _added_values(plan, name))
        hidden = self._hidden.find(entry)
        for key in sorted(forced):
            for each in values.find_differences(
                    key, before.get(key), after.get(key), unknown.MARKER,
                    hidden):
                is_shown = each.is_unknown and not hidden.hides_sources(key)
                yield self._body(each, forced[key], plan.sources(name, key)
                                 if is_shown else ())

    def _body(self, difference, forces, sources):
        if self._size > values.TOTAL:
            difference = difference.truncate(values.SHORT_SIZE)
        self._size += difference.size
        return {
            'property': difference.path[0],
            'path': values.format_path(difference.path),
            'before': difference.before, 'after': difference.after,
            'hidden': difference.is_hidden, 'unknown': difference.is_unknown,
            'truncated': difference.is_truncated,
            'forces_replacement': forces,
            'waits_for': list(map(reasons.describe_source, sources))}


def _added_values(plan, name):
    """Return the same as :func:`_changed_values` for a new resource."""
    hidden = plan.unresolved(name)
    if unknown.ALL in hidden:
        return {}, {}, {}
    after = {**hidden, **plan.resolve_properties(name)}
    return {}, after, dict.fromkeys(after, False)


def _changed_values(plan, name):
    """Return the values of the properties that change.

    :returns: the present values, the new values with an
        :data:`unknown.MARKER` for each unknown part, and whether a change
        forces a replacement, or None if that is not known. All by property.
    """
    if plan.changes_type(name):
        return {}, {}, {}
    hidden, current = plan.unresolved(name), plan.current(name)
    schema = current.properties_schema
    forced = {**dict(plan.property_changes(name)), **{
        key: None if key in schema and schema[key].update_allowed else True
        for key in hidden if key != unknown.ALL}}
    default = {key: schema[key].default for key in forced if key in schema}
    before, after = ({**default, **_without_none(definition._properties)}
                     for definition in (
                         current.frozen_definition(),
                         plan.known_definition(name).freeze()))
    return before, {**after, **hidden}, forced


def _without_none(properties):
    return {key: value for key, value in (properties or {}).items()
            if value is not None}
