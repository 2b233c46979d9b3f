# SPDX-License-Identifier: Apache-2.0

"""A thin read-only proxy of a stack and of its parts.

It is a guard rail against plugins that change a stack by mistake, not a
sandbox. Dicts and lists are copies. Imports nothing of Heat.
"""

from collections import abc
import copy
import types

# Methods of Heat's classes that change something, by the word that their
# name is, begins or ends with.
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
# Plugins ask other services by the context and the clients.
_UNWRAPPED = ('heat.common.context', 'heat.common.exception',
              'heat.engine.clients')


class ReadOnly(TypeError):
    """A plugin tried to change what it is only shown."""


def wrap(value, plugin, **shown):
    """Return a value for a plugin: Heat's objects behind a proxy.

    :param plugin: the name of the plugin.
    :param shown: attributes to show in place of the object's own.
    """
    if isinstance(value, dict):
        return {key: wrap(item, plugin) for key, item in value.items()}
    if type(value) in (list, tuple, set):
        return type(value)(wrap(item, plugin) for item in value)
    if isinstance(value, _ITERATED):
        return (wrap(item, plugin) for item in value)
    if isinstance(value, types.MethodType) and _is_heats(value.__self__):
        return _method(value, plugin)
    return _Proxy(value, plugin, shown) if _is_heats(value) else value


def unwrap(value):
    """Return what a proxy stands for; any other value as it is."""
    return value.shown_object if type(value) is _Proxy else value


def is_reading(name):
    """Return whether a method of Heat's may be called through a proxy."""
    words = name.split('_')
    return words[0] != '' and (
        name in _READING or _VERBS.isdisjoint((words[0], words[-1])))


def _is_heats(value):
    module = type(value).__module__
    return (not isinstance(value, type) and module.startswith('heat.')
            and not module.startswith(_UNWRAPPED))


def _method(method, plugin):
    def call(*args, **kwargs):
        if not is_reading(method.__name__):
            _refuse(method.__self__, plugin, f'.{method.__name__}()')
        return wrap(method(*map(unwrap, args), **{
            key: unwrap(arg) for key, arg in kwargs.items()}), plugin)
    return call


def _refuse(target, plugin, what):
    raise ReadOnly(
        f'lifecycle plugin {plugin} tried to change a stack: '
        f'{type(target).__name__}{what}; plugins may only read stacks')


class _Proxy:
    """Stands for an object of Heat's; ``isinstance`` sees no difference."""

    def __init__(self, target, plugin, shown):
        vars(self).update(shown_object=target, shown_to=plugin,
                          shown_instead=shown)

    __class__ = property(lambda self: type(self.shown_object))

    def __getattr__(self, name):
        return wrap(self.shown_instead[name] if name in self.shown_instead
                    else getattr(self.shown_object, name), self.shown_to)

    def __setattr__(self, name, value=None):
        _refuse(self.shown_object, self.shown_to, f'.{name}')

    __delattr__ = __setattr__

    def __setitem__(self, key, value=None):
        _refuse(self.shown_object, self.shown_to, f'[{key!r}]')

    __delitem__ = __setitem__

    def __getitem__(self, key):
        return wrap(self.shown_object[key], self.shown_to)

    def __iter__(self):
        return wrap(iter(self.shown_object), self.shown_to)

    def __len__(self):
        return len(self.shown_object)

    def __bool__(self):
        return bool(self.shown_object)

    def __eq__(self, other):
        return self.shown_object == unwrap(other)

    def __hash__(self):
        return hash(self.shown_object)

    def __str__(self):
        return str(self.shown_object)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return copy.deepcopy(self.shown_object, memo)
