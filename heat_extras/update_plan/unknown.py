# SPDX-License-Identifier: Apache-2.0

"""Values that are decided during an update.

Each of these values has a placeholder that returns the present value. While a
function is resolved, queries of placeholders are collected here. Only a result
that used a placeholder is unknown, not the whole resource, group or nested
stack.
"""

import collections.abc
import contextlib
import contextvars
import copy
import dataclasses
import functools
import uuid

from heat.engine import function
from heat.engine.hot import functions as hot_functions

from heat_extras import context_vars

#: Marks an unknown value in the template of a group. No template contains it.
MARKER = f'heat-extras: a value that is not known ({uuid.uuid4()})'

#: Denotes all properties of a resource. No property has this name.
ALL = None

_queries = contextvars.ContextVar('heat_extras_unknown_values', default=None)

RESOURCE, PARAMETER = 'resource', 'parameter'


@dataclasses.dataclass(frozen=True, order=True)
class Source:
    """The origin of an unknown value.

    :param kind: :data:`RESOURCE` or :data:`PARAMETER`.
    :param attribute: of the resource, or empty for its reference.
    """

    kind: str
    name: str
    attribute: str = ''


def collect_queries():
    """Collect the queries of placeholders in this thread.

    :returns: a context manager of a list with the :class:`Source` of each
        query, or None if the source is not known.
    """
    return context_vars.override(_queries, [])


def _record_query(*source):
    if _queries.get() is not None:
        _queries.get().append(Source(*source) if source else None)


@contextlib.contextmanager
def suppress_errors():
    """Suppress all errors, except for an exceeded recursion limit."""
    try:
        yield
    except RecursionError:
        raise
    except Exception:
        return


class ResourceData:
    """The heat.engine.node_data.NodeData of a resource that changes.

    :param name: of the resource.
    :param load: a function that returns the present NodeData.
    :param is_id_known: whether ``get_resource`` returns the same afterwards.
    :param find_known: takes an attribute and returns a list. It contains the
        value if the value is known despite the change.
    :param reference: the attribute that ``get_resource`` returns, if any.
    """

    # Without a resource, functions return null and query no placeholder.
    action, status = 'CREATE', 'COMPLETE'

    def __init__(self, name, load, is_id_known, find_known=lambda name: [],
                 reference=None):
        self._name, self._load = name, load
        self._is_id_known, self._find_known = is_id_known, find_known
        self._reference = reference

    @functools.cached_property
    def _data(self):
        return self._load()

    def reference_id(self):
        if self._reference is not None:
            for value in self._find_known(self._reference):
                return value
        if self._reference is not None or not self._is_id_known:
            _record_query(RESOURCE, self._name)
        return self._data.reference_id()

    def attribute(self, name):
        for value in self._find_known(name):
            return value
        # With a path it is a tuple.
        _record_query(RESOURCE, self._name, name if isinstance(name, str)
                      else '.'.join(map(str, name)))
        with suppress_errors():
            return self._data.attribute(name)

    def attributes(self):
        _record_query(RESOURCE, self._name, 'show')
        return self._data.attributes()

    def attribute_names(self):
        return self._data.attribute_names()


def hide_parameters(parameters, names):
    """Replace the values of some parameters by placeholders.

    :param parameters: the heat.engine.parameters.Parameters to change.
    """
    for name in names:
        if name in parameters:
            parameters.params[name] = _Parameter(name,
                                                 parameters.params[name])


class _Parameter:
    """The placeholder of a heat.engine.parameters.Parameter."""

    def __init__(self, name, parameter):
        self._name, self._parameter = name, parameter

    def value(self):
        _record_query(PARAMETER, self._name)
        with suppress_errors():
            return self._parameter.value()

    def __getattr__(self, name):
        return getattr(self._parameter, name)


class ParentResource:
    """The placeholder of a heat.engine.parent_rsrc.ParentResourceProxy.

    Functions of a nested stack read the parent resource of the stack.

    :param parent: the proxy with the present values.
    :param is_metadata_known: whether the metadata stays the same.
    """

    def __init__(self, parent, is_metadata_known):
        self._parent, self._is_metadata_known = parent, is_metadata_known

    def metadata_get(self):
        if not self._is_metadata_known:
            _record_query()
        return self._parent.metadata_get()

    @property
    def t(self):
        _record_query()
        return self._parent.t

    def __getattr__(self, name):
        return getattr(self._parent, name)


def hide_parent(stack, keeps_policies):
    """Hide what may change in the parent resource of a nested stack.

    An update does not change the stored metadata of the parent resource.

    :param stack: the planned heat.engine.stack.Stack.
    :param keeps_policies: whether the parent resource keeps its policies.
    :returns: whether something is hidden.
    """
    parent, is_new = stack.parent_resource, stack.id is None
    if parent is None or not is_new and keeps_policies:
        return False
    stack.defn._parent_info = ParentResource(parent, not is_new)
    return True


class Properties(collections.abc.Mapping):
    """The placeholder of a heat.engine.properties.Properties.

    :param properties: the Properties with present values.
    :param keys: the names of properties with unknown values.
    """

    def __init__(self, properties, keys):
        self._properties, self._keys = properties, keys

    def __getitem__(self, key):
        if key in self._keys:
            _record_query()
        return self._properties[key]

    def __iter__(self):
        return iter(self._properties)

    def __len__(self):
        return len(self._properties)

    def __getattr__(self, name):
        _record_query()
        return getattr(self._properties, name)


def has_marker(value):
    """Return whether a resolved value contains a :data:`MARKER`."""
    if isinstance(value, dict):
        return any(map(has_marker, value.values()))
    if isinstance(value, list):
        return any(map(has_marker, value))
    return value == MARKER


def resolve_known(raw, parse):
    """Resolve a part of a template, with a MARKER for each unknown value.

    :param raw: the part as it is in the template.
    :param parse: as :meth:`stack_plan.StackPlan.parse`.
    """
    parsed, value = _resolve_whole(raw, parse)
    if value is not MARKER:
        return value
    if isinstance(parsed, (hot_functions.MapMerge, hot_functions.If)):
        return _resolve_parts(parsed, raw, parse)
    if isinstance(raw, dict) and isinstance(parsed, dict):
        return {key: resolve_known(each, parse) for key, each in raw.items()}
    if isinstance(raw, list) and isinstance(parsed, list):
        return [resolve_known(each, parse) for each in raw]
    return MARKER


def is_condition_known(defn, name):
    """Return whether the condition of a resource uses no unknown value."""
    template = defn.t
    raw = (template.t.get(template.RESOURCES) or {}).get(name) or {}
    key = getattr(template, 'RES_CONDITION', None)
    if key is None or raw.get(key) is None:
        return True
    with collect_queries() as queries:
        # Heat caches results of conditions by definition.
        definition = copy.copy(defn)
        condition = function.resolve(template.parse_condition(
            definition, raw[key], key))
        template.conditions(definition).is_enabled(condition)
    return not queries


def referenced_names(snippet):
    """Return the names of resources in a snippet.

    :returns: all names, and the names of resources whose attributes are used.
    """
    names = {proxy.name for proxy in function.dependencies(snippet)}
    return names, {name for name, _ in function.all_dep_attrs(snippet)}


def _resolve_whole(raw, parse):
    """Return a parsed part, and its value or MARKER if it is not all known."""
    parsed = value = None
    with collect_queries() as queries:
        try:
            parsed, _definition = parse(raw)
            value = function.resolve(parsed)
        except RecursionError:
            raise
        except Exception:
            _record_query()
    return parsed, MARKER if queries or has_marker(raw) else value


def _resolve_parts(parsed, raw, parse):
    """Resolve a function whose result has parts of its arguments."""
    (name, arguments), = raw.items()
    if isinstance(parsed, hot_functions.MapMerge):
        maps = resolve_known(arguments, parse)
        is_fit = isinstance(maps, list) and all(
            isinstance(each, dict | None) for each in maps)
        return {key: value for each in maps for key, value in (
            each or {}).items()} if is_fit else MARKER
    condition, *choices = arguments
    _parsed, chosen = _resolve_whole({name: [condition, 0, 1]}, parse)
    return (resolve_known(choices[chosen], parse)
            if chosen in range(len(choices)) else MARKER)


def fill_markers(value, present):
    """Replace each MARKER by the present value.

    :param value: the result of :func:`resolve_known`.
    :param present: the value before the update, or None if there is none.
    :returns: None if no value remains.
    """
    if isinstance(value, dict):
        present = present if isinstance(present, dict) else {}
        filled = {key: fill_markers(each, present.get(key))
                  for key, each in value.items()}
        return {key: filled[key] for key in filled
                if filled[key] is not None or value[key] is None}
    if isinstance(value, list) and has_marker(value):
        if not isinstance(present, list) or len(present) != len(value):
            return present
        return [fill_markers(*pair)
                for pair in zip(value, present, strict=True)]
    return present if isinstance(value, str) and value == MARKER else value
