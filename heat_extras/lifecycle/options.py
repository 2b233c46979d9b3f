# SPDX-License-Identifier: Apache-2.0

"""Options of the lifecycle plug point."""

from oslo_config import cfg

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
        default=60, min=0,
        help='How long, in seconds, a call of a lifecycle plugin may take; '
             '0 for any time. After that the engine stops waiting, and the '
             'call counts as an error of the plugin.'),
    cfg.DictOpt(
        'lifecycle_timeouts',
        default={},
        help='Other timeouts for some lifecycle plugins, by entry point '
             'name: NAME:SECONDS.'),
    cfg.DictOpt(
        'lifecycle_modes',
        default={},
        help='What a denial of a lifecycle plugin does, by entry point name: '
             'NAME:fail (the default) refuses the action; NAME:warn only '
             'logs it and adds an event to the stack.'),
    cfg.DictOpt(
        'lifecycle_errors',
        default={},
        help='What an error of a lifecycle plugin, as opposed to a denial, '
             'does, by entry point name: NAME:deny (the default) counts as '
             'a denial; NAME:allow is logged, and the action goes on.'),
]
