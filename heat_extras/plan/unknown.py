# SPDX-License-Identifier: Apache-2.0

"""Values that are decided during an update, and the known parts of values.

Each value that is not known has a placeholder, which returns the present
value. While a function is resolved, the queries of placeholders are recorded.
Only a result that used a placeholder is unknown, not the whole resource, group
or nested stack.
"""

import contextlib
import dataclasses
import functools
import itertools
import uuid

from heat.engine import function
from heat.engine.hot import functions as hot_functions
from heat.engine import parameters as heat_parameters

#: Marks an unknown value in the template of a group. No template contains it.
MARKER = f'heat-extras: a value that is not known ({uuid.uuid4()})'

#: Denotes all properties of a resource. No property has this name.
ALL = None

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


class Queries:
    """The queries of the placeholders in a stack tree."""

    def __init__(self):
        self._found = None

    def __deepcopy__(self, memo):
        return self

    @contextlib.contextmanager
    def collect(self):
        """Collect the queries until the end of a block.

        :returns: a list with the :class:`Source` of each query, or None if
            the source is not known.
        """
        outer, self._found = self._found, []
        try:
            yield self._found
        finally:
            self._found = outer

    def record(self, *source):
        """Record a query of a value that is not known.

        :param source: the arguments of the :class:`Source`, if it is known.
        """
        if self._found is not None:
            self._found.append(Source(*source) if source else None)


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

    def __init__(self, queries, name, load, is_id_known,
                 find_known=lambda name: [], reference=None):
        self._queries, self._name, self._load = queries, name, load
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
            self._queries.record(RESOURCE, self._name)
        return self._data.reference_id()

    def attribute(self, name):
        for value in self._find_known(name):
            return value
        # With a path it is a tuple.
        self._queries.record(RESOURCE, self._name, name if isinstance(
            name, str) else '.'.join(map(str, name)))
        with suppress_errors():
            return self._data.attribute(name)

    def attributes(self):
        self._queries.record(RESOURCE, self._name, 'show')
        return self._data.attributes()

    def attribute_names(self):
        return self._data.attribute_names()


def hide_parameters(parameters, values, queries):
    """Replace the values of some parameters by placeholders.

    :param parameters: the heat.engine.parameters.Parameters to change.
    :param values: the new values, by name, with a MARKER for each unknown one.
    """
    for name, value in values.items():
        if name in parameters:
            parameters.params[name] = _Parameter(
                queries, name, parameters.params[name], value)


class _Parameter:
    """The placeholder of a heat.engine.parameters.Parameter."""

    def __init__(self, queries, name, parameter, value):
        self._queries, self._name = queries, name
        self._parameter = parameter
        self._value = _stored_value(parameter, value)

    def value(self):
        present = None
        with suppress_errors():
            present = self._parameter.value()
        return watch(self._queries, self._value, present, PARAMETER,
                     self._name)

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


def watch(queries, value, present=None, *source):
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
                        queries, source)
    queries.record(*source)
    return present


class _Parts:
    """A map or list with unknown parts. Its content is the present value.

    Each read is a query, except for reads of single known parts.

    :ivar marked: the value with a MARKER for each unknown part.
    """

    def __init__(self, marked, present, queries, source):
        super().__init__(present)
        self.marked, self.queries, self.source = marked, queries, source

    def __getitem__(self, key):
        part, present = self.find(key), None
        with suppress_errors():
            present = super().__getitem__(key)
        return watch(self.queries, part, present, *self.source)


def _recorded(name):
    def read(self, *arguments):
        self.queries.record(*self.source)
        return getattr(super(_Parts, self), name)(*arguments)
    return read


for _name in ('__iter__', '__len__', '__contains__', '__eq__', '__ne__',
              '__add__', '__or__', '__ror__', '__reversed__', '__repr__',
              '__reduce_ex__', 'copy', 'count', 'get', 'index', 'items',
              'keys', 'values'):
    setattr(_Parts, _name, _recorded(_name))


class _Map(_Parts, dict):

    def find(self, key):
        return self.marked[key]


class _List(_Parts, list):

    def find(self, index):
        # Unknown elements can be missing, so the length is not known.
        is_inside = isinstance(index, int) and 0 <= index < len(self.marked)
        return self.marked[index] if is_inside else MARKER


class _ParentResource:
    """The placeholder of a heat.engine.parent_rsrc.ParentResourceProxy."""

    def __init__(self, queries, parent, is_metadata_known):
        self._queries, self._parent = queries, parent
        self._is_metadata_known = is_metadata_known

    def metadata_get(self):
        if not self._is_metadata_known:
            self._queries.record()
        return self._parent.metadata_get()

    @property
    def t(self):
        self._queries.record()
        return self._parent.t

    def __getattr__(self, name):
        return getattr(self._parent, name)


def hide_parent(stack, keeps_policies, queries):
    """Hide what may change in the parent resource of a nested stack.

    Functions of the nested stack read the parent resource. An update does not
    change the stored metadata of the parent resource.

    :param stack: the planned heat.engine.stack.Stack.
    :param keeps_policies: whether the parent resource keeps its policies.
    :returns: whether something is hidden.
    """
    parent, is_new = stack.parent_resource, stack.id is None
    if parent is None or not is_new and keeps_policies:
        return False
    stack.defn._parent_info = _ParentResource(queries, parent, not is_new)
    return True


def has_marker(value):
    """Return whether a resolved value contains a :data:`MARKER`."""
    if isinstance(value, dict):
        return any(map(has_marker, value.values()))
    if isinstance(value, list):
        return any(map(has_marker, value))
    return value == MARKER


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


def resolve_known(raw, plan, sources=None):
    """Resolve a part of a template, with a MARKER for each unknown value.

    :param raw: the part as it is in the template.
    :param plan: the :class:`stack_plan.StackPlan`, which parses the part.
    :param sources: a set, which gets the known :class:`Source` of each unknown
        value.
    """
    value = _resolve(raw, plan, sources)
    return None if value is Ellipsis else value


def _resolve(raw, plan, sources=None):
    """Resolve as :func:`resolve_known`. Ellipsis means no value."""
    parsed, value = _resolve_whole(raw, plan, sources)
    if value is not MARKER:
        return value
    if isinstance(parsed, (hot_functions.MapMerge, hot_functions.If)):
        return _resolve_parts(parsed, raw, plan)
    if isinstance(raw, dict) and isinstance(parsed, dict):
        values = {key: _resolve(each, plan) for key, each in raw.items()}
        return {key: values[key] for key in values
                if values[key] is not Ellipsis}
    if isinstance(raw, list) and isinstance(parsed, list):
        return _resolve_elements(raw, plan)
    return MARKER


def _resolve_whole(raw, plan, sources=None):
    """Return a parsed part, and its value or MARKER if it is not all known."""
    parsed, value = None, MARKER
    with plan.queries.collect() as queries, suppress_errors():
        parsed, _definition = plan.parse(raw)
        resolved = function.resolve(parsed, nullable=True)
        if not (queries or has_marker(raw)):
            value = _marked(resolved)
        # Not all functions read the maps and lists that they return.
        function.resolve(resolved)
    if sources is not None:
        sources.update(filter(None, queries))
    return parsed, value


def _resolve_elements(raw, plan):
    values = []
    for each in raw:
        value = _resolve(each, plan)
        if value is not Ellipsis:
            values.append(value)
        if value == MARKER and _may_be_omitted(each):
            # The positions of the next elements are not known.
            break
    return values


def _may_be_omitted(raw):
    """Return whether Heat may omit an element of a list."""
    choices = raw.get('if', ())[1:] if isinstance(raw, dict) else ()
    return len(choices) == 1 or any(map(_may_be_omitted, choices))


def _marked(value):
    """Return a resolved value with a MARKER for each unknown part."""
    if isinstance(value, _Parts):
        return value.marked
    if isinstance(value, dict):
        return {key: _marked(each) for key, each in value.items()}
    if isinstance(value, list):
        return list(map(_marked, value))
    return value


def _resolve_parts(parsed, raw, plan):
    """Resolve a function whose result has parts of its arguments."""
    (name, arguments), = raw.items()
    if isinstance(parsed, hot_functions.MapMerge):
        maps = resolve_known(arguments, plan)
        is_fit = isinstance(maps, list) and all(
            isinstance(each, dict | None) for each in maps)
        return {key: value for each in maps for key, value in (
            each or {}).items()} if is_fit else MARKER
    condition, *choices = arguments
    _parsed, chosen = _resolve_whole({name: [condition, 0, 1]}, plan)
    if chosen not in (0, 1):
        return MARKER
    return _resolve(choices[chosen], plan) if choices[chosen:] else Ellipsis
