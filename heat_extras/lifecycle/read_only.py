# SPDX-License-Identifier: Apache-2.0

"""A read-only proxy of a stack and of its parts.

It prevents plugins from changing a stack by mistake, but it is not a sandbox.
Dicts and lists are copies. The module does not import Heat.
"""

from collections import abc
import copy
import types

# Methods of Heat's classes that change something: the name is, starts or ends
# with one of these words.
_VERBS = frozenset(
    'abandon add adopt check clear converge create delete destroy dispatch '
    'handle load lock make mark merge migrate persist pop prepare purge '
    'refresh regenerate register remove reparse reset restore resume rollback '
    'set setdefault signal snapshot state store suspend task trigger unlock '
    'update'.split())
_READING = frozenset(
    'check_is_substituted get_live_state prepare_abandon restore_data '
    'update_policy update_template_diff update_template_diff_properties'
    .split())
_ITERATED: tuple = (abc.Iterator, abc.MappingView)
# Plugins need the context and the clients for requests to other services.
_UNWRAPPED = ('heat.common.context', 'heat.common.exception',
              'heat.engine.clients')


class ReadOnly(TypeError):
    """A plugin tried to change a stack."""


def wrap_value(value, plugin, **overrides):
    """Return a value for a plugin, with proxies of Heat's objects.

    :param plugin: the name of the plugin.
    :param overrides: attributes of the proxy that replace those of *value*.
    """
    if isinstance(value, dict):
        return {key: wrap_value(item, plugin) for key, item in value.items()}
    if type(value) in (list, tuple, set):
        return type(value)(wrap_value(item, plugin) for item in value)
    if isinstance(value, _ITERATED):
        return (wrap_value(item, plugin) for item in value)
    if isinstance(value, types.MethodType) and _is_heat_object(value.__self__):
        return _wrap_method(value, plugin)
    return (_Proxy(value, plugin, overrides) if _is_heat_object(value)
            else value)


def unwrap_value(value):
    """Return the object of a proxy. Any other value is returned as it is."""
    return value.shown_object if type(value) is _Proxy else value


def is_read_method(name):
    """Return whether a method of Heat may be called through a proxy."""
    words = name.split('_')
    return words[0] != '' and (
        name in _READING or _VERBS.isdisjoint((words[0], words[-1])))


def _is_heat_object(value):
    module = type(value).__module__
    return (not isinstance(value, type) and module.startswith('heat.')
            and not module.startswith(_UNWRAPPED))


def _wrap_method(method, plugin):
    def call(*args, **kwargs):
        if not is_read_method(method.__name__):
            _raise_read_only(method.__self__, plugin, f'.{method.__name__}()')
        return wrap_value(method(*map(unwrap_value, args), **{
            key: unwrap_value(arg) for key, arg in kwargs.items()}), plugin)
    return call


def _raise_read_only(target, plugin, access):
    raise ReadOnly(
        f'lifecycle plugin {plugin} tried to change a stack with '
        f'{type(target).__name__}{access}: plugins may only read stacks')


class _Proxy:
    """A proxy of an object of Heat, with the class of that object."""

    def __init__(self, target, plugin, overrides):
        vars(self).update(shown_object=target, shown_to=plugin,
                          shown_instead=overrides)

    __class__ = property(lambda self: type(self.shown_object))

    def __getattr__(self, name):
        return wrap_value(
            self.shown_instead[name] if name in self.shown_instead
            else getattr(self.shown_object, name), self.shown_to)

    def __setattr__(self, name, value=None):
        _raise_read_only(self.shown_object, self.shown_to, f'.{name}')

    __delattr__ = __setattr__

    def __setitem__(self, key, value=None):
        _raise_read_only(self.shown_object, self.shown_to, f'[{key!r}]')

    __delitem__ = __setitem__

    def __getitem__(self, key):
        return wrap_value(self.shown_object[key], self.shown_to)

    def __iter__(self):
        return wrap_value(iter(self.shown_object), self.shown_to)

    def __len__(self):
        return len(self.shown_object)

    def __bool__(self):
        return bool(self.shown_object)

    def __eq__(self, other):
        return self.shown_object == unwrap_value(other)

    def __hash__(self):
        return hash(self.shown_object)

    def __str__(self):
        return str(self.shown_object)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return copy.deepcopy(self.shown_object, memo)
