# SPDX-License-Identifier: Apache-2.0

"""Read-only views of a stack, without copying it.

A view reads through to the real object and wraps what it finds there the
same way, when it is asked for it. It is a guard rail against plugins that
change a stack by mistake, not a sandbox. Imports nothing of Heat.
"""

import collections.abc
import copy
import types

from heat_extras.lifecycle import words

_PACKAGE = 'heat.'

_ITERATED: tuple = (collections.abc.Iterator, collections.abc.MappingView)

# Not parts of a stack: plugins use the context and the clients to ask other
# services, and change nothing of the stack by that.
_UNWRAPPED = ('heat.common.context', 'heat.common.exception',
              'heat.engine.clients')

# Methods of Heat's classes that change something, by the word that their
# name is, begins or ends with.
_VERBS = (
    'abandon', 'add', 'adopt', 'append', 'check', 'clear', 'converge',
    'create', 'delete', 'destroy', 'dispatch', 'extend', 'handle', 'insert',
    'load', 'lock', 'make', 'mark', 'merge', 'migrate', 'persist', 'pop',
    'popitem', 'prepare', 'purge', 'refresh', 'regenerate', 'register',
    'remove', 'reparse', 'reset', 'restore', 'resume', 'reverse', 'rollback',
    'set', 'setdefault', 'signal', 'snapshot', 'sort', 'state', 'store',
    'suspend', 'task', 'trigger', 'unlock', 'update')

_READING = frozenset({
    'check_is_substituted', 'get_live_state', 'prepare_abandon',
    'requires_deferred_auth', 'restore_data', 'supports_check_action',
    'update_policy', 'update_template_diff',
    'update_template_diff_properties'})


class ReadOnly(TypeError):
    """A plugin tried to change what it is only shown."""


def of(target, plugin, **shown):
    """Make a view.

    :param plugin: the name of the plugin that it is for.
    :param shown: attributes to show in place of the target's own.
    :returns: None for None.
    """
    return None if target is None else _View(target, plugin, shown)


def is_reading(name):
    """Return whether a method of Heat's may be called through a view."""
    if name.startswith('_'):
        return False
    words = name.split('_')
    return name in _READING or not {words[0], words[-1]} & set(_VERBS)


def _refuse(plugin, what):
    raise ReadOnly(words.tried_to_change(plugin, what))


def _wrap(value, plugin):
    if isinstance(value, (_View, _Dict, _List)):
        return value
    if isinstance(value, dict):
        return _Dict(value, plugin)
    if isinstance(value, list):
        return _List(value, plugin)
    if type(value) is tuple:
        return tuple(_wrap(item, plugin) for item in value)
    if type(value) is set:
        return frozenset(_wrap(item, plugin) for item in value)
    if isinstance(value, types.MethodType):
        return _method(value, plugin)
    if isinstance(value, _ITERATED):
        return (_wrap(item, plugin) for item in value)
    return _View(value, plugin, {}) if _is_heats(value) else value


def _is_heats(value):
    if isinstance(value, (type, types.FunctionType)):
        return False
    module = type(value).__module__
    return module.startswith(_PACKAGE) and not module.startswith(_UNWRAPPED)


def _method(method, plugin):
    if not _is_heats(method.__self__):
        return method
    name = method.__name__

    def call(*args, **kwargs):
        if not is_reading(name):
            _refuse(plugin, f'{type(method.__self__).__name__}.{name}()')
        return _wrap(method(*(bare(arg) for arg in args), **{
            key: bare(arg) for key, arg in kwargs.items()}), plugin)
    return call


def bare(value):
    """Return what a view stands for; any other value as it is."""
    return (object.__getattribute__(value, '_target')
            if type(value) is _View else value)


def _refuse_on(shown, what):
    own = object.__getattribute__
    _refuse(own(shown, '_plugin'),
            type(own(shown, '_target')).__name__ + what)


class _View:
    """Stands for an object of Heat's; ``isinstance`` sees no difference."""

    __slots__ = ('_target', '_plugin', '_shown')

    def __init__(self, target, plugin, shown):
        for name, value in (('_target', target), ('_plugin', plugin),
                            ('_shown', shown)):
            object.__setattr__(self, name, value)

    def __getattribute__(self, name):
        own = object.__getattribute__
        target = own(self, '_target')
        if name == '__class__':
            return type(target)
        if name.startswith('__'):
            return own(self, name)
        plugin, shown = own(self, '_plugin'), own(self, '_shown')
        return _wrap(shown[name] if name in shown
                     else getattr(target, name), plugin)

    def __setattr__(self, name, value):
        _refuse_on(self, f'.{name} = ...')

    def __delattr__(self, name):
        _refuse_on(self, f'.{name} deleted')

    def __setitem__(self, key, value):
        _refuse_on(self, f'[{key!r}] = ...')

    def __delitem__(self, key):
        _refuse_on(self, f'[{key!r}] deleted')

    def __getitem__(self, key):
        return _wrap(bare(self)[key],
                     object.__getattribute__(self, '_plugin'))

    def __iter__(self):
        return _wrap(iter(bare(self)),
                     object.__getattribute__(self, '_plugin'))

    def __len__(self):
        return len(bare(self))

    def __contains__(self, key):
        return bare(key) in bare(self)

    def __bool__(self):
        return bool(bare(self))

    def __eq__(self, other):
        return bare(self) == bare(other)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(bare(self))

    def __str__(self):
        return str(bare(self))

    def __repr__(self):
        return f'<read-only {bare(self)!r}>'

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return copy.deepcopy(bare(self), memo)


def _refusing(kind):
    def method(self, *args, **kwargs):
        _refuse(self.plugin, kind.__name__ + ' in it')
    return method


class _Dict(dict):
    """A dict of Heat's: the same entries, wrapped when they are read."""

    def __init__(self, target, plugin):
        super().__init__(target)
        self.plugin = plugin

    def __getitem__(self, key):
        return _wrap(super().__getitem__(key), self.plugin)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def values(self):
        return [_wrap(value, self.plugin) for value in super().values()]

    def items(self):
        return [(key, _wrap(value, self.plugin))
                for key, value in super().items()]

    def copy(self):
        return dict(self.items())

    def __deepcopy__(self, memo):
        return {key: copy.deepcopy(value, memo)
                for key, value in super().items()}

    for _name in ('__setitem__', '__delitem__', '__ior__', 'clear', 'pop',
                  'popitem', 'setdefault', 'update'):
        locals()[_name] = _refusing(dict)
    del _name


class _List(list):
    """A list of Heat's: the same items, wrapped when they are read."""

    def __init__(self, target, plugin):
        super().__init__(target)
        self.plugin = plugin

    def __getitem__(self, index):
        found = super().__getitem__(index)
        if isinstance(index, slice):
            return [_wrap(item, self.plugin) for item in found]
        return _wrap(found, self.plugin)

    def __iter__(self):
        return (_wrap(item, self.plugin) for item in super().__iter__())

    def copy(self):
        return list(self)

    def __deepcopy__(self, memo):
        return [copy.deepcopy(item, memo) for item in super().__iter__()]

    for _name in ('__setitem__', '__delitem__', '__iadd__', '__imul__',
                  'append', 'clear', 'extend', 'insert', 'pop', 'remove',
                  'reverse', 'sort'):
        locals()[_name] = _refusing(list)
    del _name
