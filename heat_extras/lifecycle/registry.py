# SPDX-License-Identifier: Apache-2.0

"""The lifecycle plugins of this process: loaded once, in full order.

Heat swallows the failure of a plugin that does not load with a log line
(heat.common.pluginutils.log_fail_msg) and instantiates plugins when it first
needs them (heat.common.lifecycle_plugin_utils). Here both happens at start,
before the engine forks, so that an engine without an enabled guard does not
start. Imports nothing of Heat.
"""

import dataclasses
from importlib import metadata
import math
import numbers
import typing

from heat_extras import errors
from heat_extras.lifecycle import options
from heat_extras.lifecycle import plugin_api
from heat_extras import missing_dependency

NAMESPACE = 'heat.stack_lifecycle_plugins'

# How heat-engine comes to heat-extras: not a plugin of a provider.
OWN = 'heat_extras.engine_entry_point'

DEFAULT_ORDINAL = 100

# None before start() is called, as there may be no plugin.
_loaded: list | None = None

# Between problems() and start(): plugins are made once.
_prepared: list = []


@dataclasses.dataclass(frozen=True)
class Plugin:
    """One plugin of ``heat.stack_lifecycle_plugins``.

    :param name: of its entry point.
    :param instance: what its class made.
    :param mode: ``fail``: what it denies is refused; ``warn``: it is only
        told about.
    :param timeout: seconds that a call may take; 0 for any.
    :param on_error: whether an error of the plugin counts as a denial
        (``deny``) or not (``allow``).
    :param actions: those that the operator wants it to be called for; None
        for all.
    :param judged: those that the plugin says it judges; None when it does
        not say.
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
        """Return a method of the plugin, or None when it has none."""
        found = getattr(self.instance, name, None)
        return found if callable(found) else None

    def is_called_for(self, action: str) -> bool:
        """Return whether the operator wants it to be called for an action."""
        return self.actions is None or action in self.actions

    def is_asked(self, action: str) -> bool:
        """Return whether it is asked before an action."""
        return (self.is_called_for(action)
                and (self.judged is None or action in self.judged)
                and self.method('do_pre_op') is not None)

    @property
    def sort_key(self) -> tuple[float, str]:
        return (self.ordinal, self.name)


@dataclasses.dataclass(frozen=True)
class Found:
    """An installed entry point, and what became of it.

    :param plugin: the :class:`Plugin`; None when it failed to load.
    :param is_enabled: what its own ``is_enabled`` says; True without one.
    :param mistakes: sentences of a plugin of ours about its options.
    """

    name: str
    value: str
    distribution: str | None
    plugin: Plugin | None = None
    is_enabled: bool = True
    error: str | None = None
    mistakes: tuple = ()


def find(conf):
    """Load every installed plugin, whatever happens.

    :param conf: with the options of ``[heat_extras]``.
    :returns: a list of :class:`Found`, in the order of calls, those that
        failed last.
    """
    found = [_load(entry_point, conf) for entry_point
             in metadata.entry_points(group=NAMESPACE)
             if entry_point.module != OWN]
    return sorted(found, key=lambda one: (
        one.plugin is None, one.plugin and one.plugin.sort_key, one.name))


def problems(conf):
    """Load the plugins that start() takes, and list what is wrong.

    What an option, or a file that it names, has wrong stops an engine; so
    does a plugin that does not load, unless ``lifecycle_on_load_failure`` is
    ``warn``.

    :returns: sentences.
    """
    if _loaded is not None:
        return []
    _prepared[:] = find(conf)
    listed = [*_setting_problems(conf, sorted(one.name for one in _prepared))]
    for one in _prepared:
        listed += one.mistakes
    failed = _failed(_prepared)
    if failed and conf.heat_extras.lifecycle_on_load_failure == options.STOP:
        listed.append(
            f'lifecycle plugin: found {"; ".join(failed)}, wanted all of '
            f'{NAMESPACE} to load; repair or uninstall it, or set '
            'lifecycle_on_load_failure = warn')
    return listed


def doubts(conf):
    """List what of that problems() loaded is probably not meant so.

    :returns: sentences; no engine stops because of them.
    """
    is_known = conf.heat_extras.lifecycle_on_load_failure == options.STOP
    return [*_never_asked(_prepared), *(
        f'lifecycle plugin is not called: {text}'
        for text in ([] if is_known else _failed(_prepared)))]


def forget():
    """Forget what problems() loaded and start() has not taken."""
    _prepared.clear()


def start(conf):
    """Load the plugins that :func:`ordered` gives from now on.

    :raises ActivationError: with all that :func:`problems` finds, where
        nobody has asked it before.
    """
    global _loaded
    if not _prepared:
        stop()
        found = problems(conf)
        if found:
            forget()
            raise errors.ActivationError(*found)
    _loaded = [one.plugin for one in _prepared
               if one.plugin is not None and one.is_enabled]
    forget()


def stop():
    """Forget the plugins."""
    global _loaded
    _loaded = None


def ordered():
    """Return the plugins to call, by ordinal, then by entry point name."""
    return _loaded or []


def _load(entry_point, conf):
    about = {'name': entry_point.name, 'value': entry_point.value,
             'distribution': entry_point.dist and entry_point.dist.name}
    try:
        instance = entry_point.load()()
        is_enabled = getattr(instance, 'is_enabled', None)
        return Found(plugin=_settle(entry_point.name, instance, conf),
                     is_enabled=is_enabled() if callable(is_enabled)
                     else True, **about)
    except KeyboardInterrupt:
        # Somebody at the terminal: this is the main thread.
        raise
    except errors.ActivationError as error:
        return Found(error=str(error), mistakes=error.args, **about)
    except BaseException as error:
        return Found(error=f'{type(error).__name__}: {error}',
                     mistakes=_lacking(error, about), **about)


def _lacking(error, about):
    # What a plugin of ours needs comes with an extra.
    if (not isinstance(error, ImportError)
            or about['distribution'] != missing_dependency.DISTRIBUTION):
        return ()
    return (f'lifecycle plugin {about["name"]}: '
            + missing_dependency.describe(error, missing_dependency.ENGINE),)


def _never_asked(found):
    return [f'[heat_extras] lifecycle_actions: found {one.name}:'
            f'{_named(one.plugin.actions)}, of which this plugin judges '
            'none, so that it is never asked; wanted some of '
            f'{_named(one.plugin.judged)}'
            for one in found if one.plugin is not None and one.is_enabled
            and one.plugin.actions is not None and one.plugin.judged
            and not one.plugin.actions & one.plugin.judged]


def _named(chosen):
    return options.SEPARATOR.join(
        action for action in plugin_api.ACTIONS if action in chosen)


def _failed(found):
    return [f'{one.name} ({one.value}): {one.error}' for one in found
            if one.plugin is None and not one.mistakes]


def _settle(name, instance, conf):
    settings = conf.heat_extras
    return Plugin(
        name=name, instance=instance, ordinal=_ordinal(instance),
        mode=settings.lifecycle_modes.get(name, options.FAIL),
        timeout=settings.lifecycle_timeouts.get(
            name, settings.lifecycle_timeout),
        on_error=settings.lifecycle_errors.get(name, options.DENY),
        actions=_chosen(settings.lifecycle_actions.get(name)),
        judged=_judged(instance))


def _chosen(text):
    return None if text is None else frozenset(options.split_actions(text))


def _judged(instance):
    get_actions = getattr(instance, 'get_actions', None)
    if not callable(get_actions):
        return None
    found = get_actions()
    if isinstance(found, str) or options.unknown_actions(found):
        raise ValueError(f'get_actions() returned {found!r}, wanted some of '
                         f'{", ".join(plugin_api.ACTIONS)}')
    return frozenset(found)


def _ordinal(instance):
    get_ordinal = getattr(instance, 'get_ordinal', None)
    if not callable(get_ordinal):
        return DEFAULT_ORDINAL
    found = get_ordinal()
    if not isinstance(found, numbers.Real) or math.isnan(found):
        raise ValueError(f'get_ordinal() returned {found!r}, wanted a number')
    return found


def _setting_problems(conf, names):
    wanted = f'any of {", ".join(names)}' if names else (
        'nothing: none is installed')
    for option in ('lifecycle_timeouts', 'lifecycle_modes',
                   'lifecycle_errors', 'lifecycle_actions'):
        strangers = [name for name in conf.heat_extras[option]
                     if name not in names]
        if strangers:
            yield (f'[heat_extras] {option}: found {", ".join(strangers)}, '
                   f'no installed plugin{"s" if strangers[1:] else ""}, '
                   f'wanted {wanted}')
