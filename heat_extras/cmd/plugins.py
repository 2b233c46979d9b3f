# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage plugins``: the lifecycle plugins of this host.

The plugins are loaded, as an engine does: they may import Heat.
"""

from heat_extras.cli import tables
from heat_extras.cmd import cli_config
from heat_extras.cmd import formatters
from heat_extras import conf as heat_extras_conf
from heat_extras.config_validation import validation
from heat_extras.lifecycle import actions
from heat_extras.lifecycle import registry

COLUMNS = ('order', 'name', 'class', 'distribution', 'ordinal', 'mode',
           'timeout', 'on_error', 'asked_before', 'state')
_SHOWN = tables.Columns(('order', 'name', 'mode', 'state'),
                        ('timeout', 'on_error', 'asked_before', 'ordinal',
                         'distribution', 'class'))


def plugins(conf, engine):
    """List the lifecycle plugins in the order in which they are called.

    Exits with 1 when one does not load.
    """
    heat_extras_conf.register_opts(conf)
    found = _find(conf)
    formatters.print_rows(COLUMNS, list(_rows(found)), conf.command, _SHOWN)
    if any(one.plugin is None for one in found):
        raise SystemExit(1)


def _find(conf):
    with cli_config.shared_with_heat(conf):
        wrong = validation.option_errors(conf)
        if wrong:
            raise cli_config.CommandError('; '.join(wrong.values()))
        return registry.find(conf)


def _rows(found):
    number = 0
    for one in found:
        is_called = one.plugin is not None and one.is_enabled
        number += is_called
        yield (number if is_called else None, one.name, one.value,
               one.distribution, *_settings(one.plugin), _state(one))


def _settings(plugin):
    if plugin is None:
        return (None,) * 5
    return (plugin.ordinal, plugin.mode, plugin.timeout, plugin.on_error,
            _actions(plugin))


def _actions(plugin):
    asked = [action for action in actions.ACTIONS if plugin.is_asked(action)]
    return 'all' if len(asked) == len(actions.ACTIONS) else (
        ', '.join(asked) or 'none')


def _state(one):
    if one.error is not None:
        return f'failed to load: {one.error}'
    return 'called' if one.is_enabled else 'off'
