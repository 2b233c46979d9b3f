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
import itertools
import uuid

from heat.engine import function
from heat.engine import parameters as heat_parameters

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


def record_query(*source):
    """Record a query of a value that is not known.

    :param source: the arguments of the :class:`Source`, if it is known.
    """
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
            record_query(RESOURCE, self._name)
        return self._data.reference_id()

    def attribute(self, name):
        for value in self._find_known(name):
            return value
        # With a path it is a tuple.
        record_query(RESOURCE, self._name, name if isinstance(name, str)
                     else '.'.join(map(str, name)))
        with suppress_errors():
            return self._data.attribute(name)

    def attributes(self):
        record_query(RESOURCE, self._name, 'show')
        return self._data.attributes()

    def attribute_names(self):
        return self._data.attribute_names()


def hide_parameters(parameters, values):
    """Replace the values of some parameters by placeholders.

    :param parameters: the heat.engine.parameters.Parameters to change.
    :param values: the new values, by name, with a MARKER for each unknown one.
    """
    for name, value in values.items():
        if name in parameters:
            parameters.params[name] = _Parameter(
                name, parameters.params[name], value)


class _Parameter:
    """The placeholder of a heat.engine.parameters.Parameter."""

    def __init__(self, name, parameter, value):
        self._name, self._parameter = name, parameter
        self._value = _stored_value(parameter, value)

    def value(self):
        present = None
        with suppress_errors():
            present = self._parameter.value()
        return watch(self._value, present, PARAMETER, self._name)

    def __getattr__(self, name):
        return getattr(self._parameter, name)


def _stored_value(parameter, value):
    """Return the value that a parameter of a nested stack will have."""
    if isinstance(parameter, heat_parameters.JsonParam):
        return parameter.parse(value) if value != MARKER else value
    if not (isinstance(parameter, heat_parameters.CommaDelimitedListParam)
            and isinstance(value, list)):
        return MARKER
    # Heat joins the elements with commas, so one element can become several.
    known = list(itertools.takewhile(
        lambda each: isinstance(each, str) and each != MARKER
        and ',' not in each, value))
    return [*known, MARKER] if known else MARKER


def watch(value, present=None, *source):
    """Return a value that records queries of its unknown parts.

    :param value: the value with a MARKER for each unknown part.
    :param present: the value before the update.
    :param source: the arguments of the :class:`Source`.
    """
    if not has_marker(value):
        return value
    for kind, base in ((_Map, dict), (_List, list)):
        if isinstance(value, base):
            return kind(value, present if isinstance(present, base) else (),
                        source)
    record_query(*source)
    return present


class Parts:
    """A map or list with unknown parts. Its content is the present value.

    Each read is a query, except for reads of single known parts.

    :ivar marked: the value with a MARKER for each unknown part.
    """

    def __init__(self, marked, present, source):
        super().__init__(present)
        self.marked, self.source = marked, source

    def __getitem__(self, key):
        part, present = self.find(key), None
        with suppress_errors():
            present = super().__getitem__(key)
        return watch(part, present, *self.source)


def _recorded(name):
    def read(self, *arguments):
        record_query(*self.source)
        return getattr(super(Parts, self), name)(*arguments)
    return read


for _name in ('__iter__', '__len__', '__contains__', '__eq__', '__ne__',
              '__add__', '__or__', '__ror__', '__reversed__', '__repr__',
              '__reduce_ex__', 'copy', 'count', 'get', 'index', 'items',
              'keys', 'values'):
    setattr(Parts, _name, _recorded(_name))


class _Map(Parts, dict):

    def find(self, key):
        return self.marked[key]


class _List(Parts, list):

    def find(self, index):
        # Unknown elements can be missing, so the length is not known.
        is_inside = isinstance(index, int) and 0 <= index < len(self.marked)
        return self.marked[index] if is_inside else MARKER


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
            record_query()
        return self._parent.metadata_get()

    @property
    def t(self):
        record_query()
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
            record_query()
        return self._properties[key]

    def __iter__(self):
        return iter(self._properties)

    def __len__(self):
        return len(self._properties)

    def __getattr__(self, name):
        record_query()
        return getattr(self._properties, name)


def has_marker(value):
    """Return whether a resolved value contains a :data:`MARKER`."""
    if isinstance(value, dict):
        return any(map(has_marker, value.values()))
    if isinstance(value, list):
        return any(map(has_marker, value))
    return value == MARKER


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


def fill_markers(value, present):
    """Replace each MARKER by the present value.

    :param value: the result of :func:`known_parts.resolve_known`.
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
