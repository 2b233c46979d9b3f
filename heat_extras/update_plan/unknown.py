# SPDX-License-Identifier: Apache-2.0

"""Values that an update itself decides, and what depends on them.

Such a value has a stand-in: the value that it has now. Whoever resolves a
function finds out here whether the result came from a stand-in. So only that
result is unknown, and not the whole resource, group or nested stack.
"""

import collections.abc
import contextvars
import dataclasses
import functools

from heat.engine import function

from heat_extras import context_vars

#: Stands for an unknown value in the template that a group would make.
MARKER = 'heat-extras: a value that is not known before the update'

#: Stands for the names of all properties of a resource.
ALL = '*'

# Templates read the resource around their stack with these.
_FACADES = ('resource_facade', 'Fn::ResourceFacade')

_asked = contextvars.ContextVar('heat_extras_unknown_values', default=None)

RESOURCE, PARAMETER = 'resource', 'parameter'


@dataclasses.dataclass(frozen=True, order=True)
class Source:
    """Where a value that is not known comes from.

    :param kind: :data:`RESOURCE` or :data:`PARAMETER`.
    :param attribute: of the resource; empty for its reference.
    """

    kind: str
    name: str
    attribute: str = ''


def collect_queries():
    """Collect which stand-ins are asked for, in this thread.

    :returns: a context manager of a list: the :class:`Source` of each, or
        None where that is not known; empty unless one is asked for.
    """
    return context_vars.override(_asked, [])


def _note(*source):
    if _asked.get() is not None:
        _asked.get().append(Source(*source) if source else None)


class ResourceData:
    """Stands for heat.engine.node_data.NodeData of a resource that changes.

    :param name: of the resource.
    :param load: a function that returns the NodeData as it is now.
    :param is_id_known: whether ``get_resource`` returns the same afterwards.
    :param find_known: takes an attribute and returns a list of its value if
        that is known all the same.
    """

    # Functions return null, and ask for nothing, while there is no resource.
    action, status = 'CREATE', 'COMPLETE'

    def __init__(self, name, load, is_id_known, find_known=lambda name: []):
        self._name, self._load = name, load
        self._is_id_known, self._find_known = is_id_known, find_known

    @functools.cached_property
    def _data(self):
        return self._load()

    def reference_id(self):
        if not self._is_id_known:
            _note(RESOURCE, self._name)
        return self._data.reference_id()

    def attribute(self, name):
        for value in self._find_known(name):
            return value
        # With a path it is a tuple.
        _note(RESOURCE, self._name, name if isinstance(name, str)
              else '.'.join(map(str, name)))
        try:
            return self._data.attribute(name)
        except Exception:
            return None

    def attributes(self):
        _note(RESOURCE, self._name, 'show')
        return self._data.attributes()

    def attribute_names(self):
        return self._data.attribute_names()


def hide_parameters(parameters, names):
    """Make the values of some parameters stand-ins.

    :param parameters: a heat.engine.parameters.Parameters; it is changed.
    """
    for name in names:
        if name in parameters:
            parameters.params[name] = _Parameter(name,
                                                 parameters.params[name])


class _Parameter:
    """Stands for a heat.engine.parameters.Parameter."""

    def __init__(self, name, parameter):
        self._name, self._parameter = name, parameter

    def value(self):
        _note(PARAMETER, self._name)
        try:
            return self._parameter.value()
        except Exception:
            return None

    def __getattr__(self, name):
        return getattr(self._parameter, name)


class Properties(collections.abc.Mapping):
    """Stands for a heat.engine.properties.Properties.

    :param keys: the names of those whose values are not known.
    """

    def __init__(self, found, keys):
        self._found, self._keys = found, keys

    def __getitem__(self, key):
        if key in self._keys:
            _note()
        return self._found[key]

    def __iter__(self):
        return iter(self._found)

    def __len__(self):
        return len(self._found)

    def __getattr__(self, name):
        _note()
        return getattr(self._found, name)


def has_marker(value):
    """Return whether there is a :data:`MARKER` in a resolved value."""
    if isinstance(value, dict):
        return any(map(has_marker, value.values()))
    if isinstance(value, list):
        return any(map(has_marker, value))
    return value == MARKER


def may_hold_unknown(document):
    """Return whether a template may hold values that are not known.

    Besides those of resources and parameters: a MARKER, or a function that
    reads the resource around the stack.
    """
    if isinstance(document, dict):
        return any(key in _FACADES or may_hold_unknown(value)
                   for key, value in document.items())
    if isinstance(document, list):
        return any(map(may_hold_unknown, document))
    return document == MARKER


def resolve(raw, parse):
    """Resolve a part of a template, with a MARKER for what is not known.

    :param raw: as the template has it.
    :param parse: makes functions of it, like heat.engine.template.parse.
    """
    parsed = value = None
    with collect_queries() as asked:
        try:
            parsed = parse(raw)
            value = function.resolve(parsed)
        except Exception:
            _note()
    if not (asked or may_hold_unknown(raw)):
        return value
    if isinstance(raw, dict) and isinstance(parsed, dict):
        return {key: resolve(each, parse) for key, each in raw.items()}
    if isinstance(raw, list) and isinstance(parsed, list):
        return [resolve(each, parse) for each in raw]
    return MARKER


def fill(value, now):
    """Put the values of now in the place of each MARKER.

    :param value: what :func:`resolve` returns.
    :param now: the same before the update; None where there is none.
    :returns: None where nothing is left.
    """
    if isinstance(value, dict):
        now = now if isinstance(now, dict) else {}
        filled = {key: fill(each, now.get(key)) for key, each in value.items()}
        return {key: filled[key] for key in filled
                if filled[key] is not None or value[key] is None}
    if isinstance(value, list) and has_marker(value):
        if not isinstance(now, list) or len(now) != len(value):
            return now
        return [fill(*pair) for pair in zip(value, now, strict=True)]
    return now if isinstance(value, str) and value == MARKER else value
