# SPDX-License-Identifier: Apache-2.0

"""Options of the lifecycle plug point."""

from oslo_config import cfg
from oslo_config import types

from heat_extras.lifecycle import actions
from heat_extras.lifecycle import plugin

OPTIONS = [
    cfg.StrOpt(
        'lifecycle_on_load_failure',
        default='stop',
        choices=[
            ('stop', 'the engine does not start'),
            ('warn', 'the engine starts without the plugin, and warns'),
        ],
        help='What happens when a lifecycle plugin does not load.'),
    cfg.IntOpt(
        'lifecycle_timeout',
        default=60, min=0, max=86400,
        help='How long, in seconds, a call of a lifecycle plugin may take; '
             '0 for any time. After that the engine stops waiting, and the '
             'call counts as an error of the plugin.'),
    cfg.Opt(
        'lifecycle_timeouts',
        type=types.Dict(types.Integer(min=0, max=86400)),
        default={},
        help='Other timeouts for some lifecycle plugins, by entry point '
             'name: NAME:SECONDS.'),
    cfg.Opt(
        'lifecycle_modes',
        type=types.Dict(types.String(choices=plugin.MODES)),
        default={},
        help='What a denial of a lifecycle plugin does, by entry point name: '
             'NAME:fail (the default) refuses the action; NAME:warn only '
             'logs it and adds an event to the stack.'),
    cfg.Opt(
        'lifecycle_actions',
        type=types.Dict(actions.Actions()),
        default={},
        help='The only actions that a lifecycle plugin is called for, by '
             'entry point name: NAME:CREATE|UPDATE. Without it, all: '
             f'{", ".join(actions.ACTIONS)}.'),
    cfg.Opt(
        'lifecycle_errors',
        type=types.Dict(types.String(choices=plugin.ERROR_RULES)),
        default={},
        help='What an error of a lifecycle plugin, as opposed to a denial, '
             'does, by entry point name: NAME:deny (the default) counts as '
             'a denial; NAME:allow is logged, and the action goes on.'),
]
