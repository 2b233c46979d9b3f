# SPDX-License-Identifier: Apache-2.0

"""Load the lifecycle plugins of this process, once and in a fixed order.

Heat only logs that a plugin cannot be loaded
(heat.common.pluginutils.log_fail_msg), and it creates plugins when it first
needs them (heat.common.lifecycle_plugin_utils). This module does both at the
start, before the engine forks. So an engine does not start without an enabled
guard. It does not import Heat.
"""

import dataclasses
from importlib import metadata
import math
import numbers
import typing

from heat_extras import entry_points
from heat_extras.lifecycle import options
from heat_extras.lifecycle import plugin_api
from heat_extras import operator_errors

NAMESPACE = 'heat.stack_lifecycle_plugins'

# The entry point that loads heat-extras. It is not a plugin of a provider.
OWN = 'heat_extras.engine_entry_point'

DEFAULT_ORDINAL = 100

# None until load_plugins() is called.
_loaded: list | None = None

# The plugins that find_errors() created, until load_plugins() is called.
_prepared: list = []


@dataclasses.dataclass(frozen=True)
class Plugin:
    """One plugin of ``heat.stack_lifecycle_plugins``.

    :param name: the name of its entry point.
    :param instance: the instance of its class.
    :param mode: ``fail`` if a denial rejects the action, or ``warn`` if it is
        only logged and added as an event.
    :param timeout: the maximum seconds of a call, or 0 for no limit.
    :param on_error: whether an error of the plugin counts as a denial
        (``deny``) or not (``allow``).
    :param actions: the actions in the configuration for which the plugin is
        called, or None for all.
    :param judged: the actions that the plugin itself declares, or None if it
        does not declare any.
    """

    name: str
    instance: object
    ordinal: float = DEFAULT_ORDINAL
    mode: str = options.FAIL
    timeout: int = 0
    on_error: str = options.DENY
    actions: frozenset[str] | None = None
    judged: frozenset[str] | None = None

    def method(self, name: str) -> typing.Callable | None:
        """Return a method of the plugin, or None if it does not exist."""
        method = getattr(self.instance, name, None)
        return method if callable(method) else None

    def is_called_for(self, action: str) -> bool:
        """Return whether the configuration allows calls for an action."""
        return self.actions is None or action in self.actions

    def is_asked(self, action: str) -> bool:
        """Return whether the plugin is called before an action."""
        return (self.is_called_for(action)
                and (self.judged is None or action in self.judged)
                and self.method('do_pre_op') is not None)

    @property
    def sort_key(self) -> tuple[float, str]:
        return (self.ordinal, self.name)


@dataclasses.dataclass(frozen=True)
class InstalledPlugin:
    """An installed entry point and its plugin.

    :param plugin: the :class:`Plugin`, or None if it failed to load.
    :param is_enabled: the result of its ``is_enabled``, or True without it.
    :param mistakes: sentences about wrong options, from a plugin of
        heat-extras.
    """

    name: str
    value: str
    distribution: str | None
    plugin: Plugin | None = None
    is_enabled: bool = True
    error: str | None = None
    mistakes: tuple = ()


def find_plugins(conf):
    """Load every installed plugin. Errors are part of the result.

    :param conf: a configuration with the options of ``[heat_extras]``.
    :returns: a list of :class:`InstalledPlugin` in the order of calls. Plugins
        that failed to load are last.
    """
    installed = [_load_plugin(entry_point, conf) for entry_point
                 in metadata.entry_points(group=NAMESPACE)
                 if entry_point.module != OWN]
    return sorted(installed, key=lambda each: (
        each.plugin is None, each.plugin and each.plugin.sort_key, each.name))


def find_errors(conf):
    """Create the plugins, and list the errors that stop an engine.

    An error in an option, or in a file that an option names, stops an engine.
    A plugin that does not load stops an engine unless
    ``lifecycle_on_load_failure`` is ``warn``.

    :returns: a list of sentences.
    """
    if _loaded is not None:
        return []
    _prepared[:] = find_plugins(conf)
    names = sorted(each.name for each in _prepared)
    errors_found = [*_find_unknown_names(conf, names)]
    for each in _prepared:
        errors_found += each.mistakes
    failed = _list_failed(_prepared)
    if failed and conf.heat_extras.lifecycle_on_load_failure == options.STOP:
        errors_found.append(
            f'lifecycle plugins of {NAMESPACE} cannot be loaded: '
            f'{"; ".join(failed)}. Repair or uninstall these plugins. To '
            'start the engine without them, set lifecycle_on_load_failure = '
            'warn')
    return errors_found


def find_warnings(conf):
    """List warnings about the plugins that find_errors() created.

    :returns: a list of sentences. They do not stop an engine.
    """
    is_known = conf.heat_extras.lifecycle_on_load_failure == options.STOP
    return [*_find_never_called(_prepared), *(
        f'lifecycle plugin is not called, because it cannot be loaded: {text}'
        for text in ([] if is_known else _list_failed(_prepared)))]


def discard_prepared():
    """Discard the plugins that find_errors() created."""
    _prepared.clear()


def load_plugins(conf):
    """Load the plugins for :func:`list_plugins`.

    :raises ActivationError: with the errors of :func:`find_errors`, if it was
        not called before.
    """
    global _loaded
    if not _prepared:
        unload_plugins()
        problems = find_errors(conf)
        if problems:
            discard_prepared()
            raise operator_errors.ActivationError(*problems)
    _loaded = [each.plugin for each in _prepared
               if each.plugin is not None and each.is_enabled]
    discard_prepared()


def unload_plugins():
    """Unload the plugins."""
    global _loaded
    _loaded = None


def list_plugins():
    """Return the loaded plugins, by ordinal and then by entry point name."""
    return _loaded or []


def _load_plugin(entry_point, conf):
    about = {'name': entry_point.name, 'value': entry_point.value,
             'distribution': entry_point.dist and entry_point.dist.name}
    try:
        instance = entry_point.load()()
        is_enabled = getattr(instance, 'is_enabled', None)
        return InstalledPlugin(
            plugin=_make_plugin(entry_point.name, instance, conf),
            is_enabled=is_enabled() if callable(is_enabled) else True, **about)
    except KeyboardInterrupt:
        # Only the main thread gets it, from a user at the terminal.
        raise
    except operator_errors.ActivationError as error:
        return InstalledPlugin(error=str(error), mistakes=error.args, **about)
    except BaseException as error:
        return InstalledPlugin(error=f'{type(error).__name__}: {error}',
                               mistakes=_missing_dependency(error, about),
                               **about)


def _missing_dependency(error, about):
    # The dependencies of a plugin of heat-extras are in an extra.
    if (not isinstance(error, ImportError)
            or about['distribution'] != entry_points.DISTRIBUTION):
        return ()
    return (f'lifecycle plugin {about["name"]}: '
            + entry_points.describe_import_error(error, entry_points.ENGINE),)


def _find_never_called(installed):
    return ['[heat_extras] lifecycle_actions: '
            f'{each.name}:{_join_actions(each.plugin.actions)} is not valid: '
            'the plugin decides on none of these actions, so it cannot deny '
            'them. Expected one or more of '
            f'{_join_actions(each.plugin.judged)}'
            for each in installed
            if each.plugin is not None and each.is_enabled
            and each.plugin.actions is not None and each.plugin.judged
            and not each.plugin.actions & each.plugin.judged]


def _join_actions(chosen):
    return options.SEPARATOR.join(
        action for action in plugin_api.ACTIONS if action in chosen)


def _list_failed(installed):
    return [f'{each.name} ({each.value}): {each.error}' for each in installed
            if each.plugin is None and not each.mistakes]


def _make_plugin(name, instance, conf):
    settings = conf.heat_extras
    return Plugin(
        name=name, instance=instance, ordinal=_read_ordinal(instance),
        mode=settings.lifecycle_modes.get(name, options.FAIL),
        timeout=settings.lifecycle_timeouts.get(
            name, settings.lifecycle_timeout),
        on_error=settings.lifecycle_errors.get(name, options.DENY),
        actions=_parse_actions(settings.lifecycle_actions.get(name)),
        judged=_read_judged_actions(instance))


def _parse_actions(text):
    return None if text is None else frozenset(options.split_actions(text))


def _read_judged_actions(instance):
    get_actions = getattr(instance, 'get_actions', None)
    if not callable(get_actions):
        return None
    actions = get_actions()
    if isinstance(actions, str) or options.unknown_actions(actions):
        raise ValueError(
            f'get_actions() returned {actions!r}, which is not valid: '
            f'expected some of {", ".join(plugin_api.ACTIONS)}')
    return frozenset(actions)


def _read_ordinal(instance):
    get_ordinal = getattr(instance, 'get_ordinal', None)
    if not callable(get_ordinal):
        return DEFAULT_ORDINAL
    ordinal = get_ordinal()
    if not isinstance(ordinal, numbers.Real) or math.isnan(ordinal):
        raise ValueError(f'get_ordinal() returned {ordinal!r}, which is not '
                         'valid: expected a number')
    return ordinal


def _find_unknown_names(conf, names):
    installed = f'Installed: {", ".join(names)}' if names else (
        'No lifecycle plugin is installed')
    for option in ('lifecycle_timeouts', 'lifecycle_modes',
                   'lifecycle_errors', 'lifecycle_actions'):
        unknown = [name for name in conf.heat_extras[option]
                   if name not in names]
        if unknown:
            yield (f'[heat_extras] {option}: {", ".join(unknown)} '
                   f'{"are" if unknown[1:] else "is"} not valid: expected '
                   f'names of installed plugins. {installed}')
