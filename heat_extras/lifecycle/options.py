# SPDX-License-Identifier: Apache-2.0

"""Options of the feature ``lifecycle``."""

from collections import abc

from oslo_config import cfg
from oslo_config import types

from heat_extras.lifecycle import plugin_api

STOP = 'stop'
FAIL, WARN = 'fail', 'warn'
DENY, ALLOW = 'deny', 'allow'

# The separator of actions. In these options, a comma separates plugins.
SEPARATOR = '|'


def split_actions(text: str) -> list[str]:
    """Return the actions in a text like ``create|UPDATE``."""
    return [name.strip().upper() for name in text.split(SEPARATOR)]


def unknown_actions(names: abc.Iterable[str]) -> list[str]:
    """Return the names that are not actions."""
    return [name for name in names if name not in plugin_api.ACTIONS]


class Actions(types.String):
    """The type of an option with names of actions."""

    def __call__(self, value: object) -> str:
        """Check a value.

        :raises ValueError: with the value and what is expected.
        """
        text = super().__call__(value)
        if unknown_actions(split_actions(text)):
            raise ValueError(
                f'{text!r} is not valid: expected one or more of '
                f'{", ".join(plugin_api.ACTIONS)}, separated by {SEPARATOR}')
        return text

    def __repr__(self) -> str:
        return 'Actions'


OPTIONS = [
    cfg.StrOpt(
        'lifecycle_on_load_failure',
        default=STOP,
        choices=[
            (STOP, 'the engine does not start'),
            ('warn', 'the engine starts without the plugin, and warns'),
        ],
        help='Whether an engine starts if a lifecycle plugin does not load.'),
    cfg.IntOpt(
        'lifecycle_timeout',
        default=60, min=0, max=86400,
        help='Maximum time, in seconds, of a call of a lifecycle plugin. '
             'After this time, the engine stops waiting, and the call counts '
             'as an error of the plugin (lifecycle_errors). 0 means no limit: '
             'the engine waits until the plugin answers.'),
    cfg.Opt(
        'lifecycle_timeouts',
        type=types.Dict(types.Integer(min=0, max=86400)),
        default={},
        help='Maximum times, in seconds, for individual lifecycle plugins in '
             'place of lifecycle_timeout: NAME:SECONDS, with the entry point '
             'name of the plugin. 0 means no limit.'),
    cfg.Opt(
        'lifecycle_modes',
        type=types.Dict(types.String(choices=(FAIL, WARN))),
        default={},
        help='Effect of a denial by a lifecycle plugin. NAME is the entry '
             'point name of the plugin. NAME:fail (the default) rejects the '
             'action. NAME:warn logs the denial and adds an event to the '
             'stack, and the action continues.'),
    cfg.Opt(
        'lifecycle_actions',
        type=types.Dict(Actions()),
        default={},
        help='The only actions for which a lifecycle plugin is called: '
             'NAME:CREATE|UPDATE, with the entry point name of the plugin. A '
             'plugin that is not listed is called for all actions: '
             f'{", ".join(plugin_api.ACTIONS)}.'),
    cfg.Opt(
        'lifecycle_errors',
        type=types.Dict(types.String(choices=(DENY, ALLOW))),
        default={},
        help='Effect of an error of a lifecycle plugin. NAME is the entry '
             'point name of the plugin. NAME:deny (the default) counts the '
             'error as a denial. NAME:allow only logs the error, and the '
             'action continues.'),
]
