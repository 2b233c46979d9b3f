# SPDX-License-Identifier: Apache-2.0

"""Ask lifecycle plugins whether they would deny an update.

A plugin is asked if it has a method ``do_dry_run``. The method takes the
arguments of ``do_pre_op`` and raises the same errors, but changes no state.
"""

from heat_extras.lifecycle import options
from heat_extras.lifecycle import read_only
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner
from heat_extras.update_plan import plan_stop

METHOD = 'do_dry_run'
_ACTION = 'UPDATE'


def list_stops(context, update):
    """List the plugins that deny an update, and those that cannot be asked.

    An entry point of :mod:`heat_extras.update_plan.plan_stop`.
    """
    return [stop for plugin in registry.list_plugins()
            if plugin.mode == options.FAIL and plugin.is_asked(_ACTION)
            for stop in _plugin_stops(plugin, context, update)]


def _plugin_stops(plugin, context, update):
    method = plugin.method(METHOD)
    if method is None:
        yield plan_stop.Stop(
            'LifecyclePluginNotAsked', f'Lifecycle plugin {plugin.name} was '
            'not asked, because it has no dry run. The plugin is asked when '
            'the update starts, and may deny the update.', is_certain=False)
        return
    error = _dry_run_call(context, update).make(plugin, method)
    if error is None:
        return
    is_denial = runner.is_denial(error)
    if is_denial or plugin.on_error == options.DENY:
        yield plan_stop.Stop(
            'LifecyclePluginDenied', f'{_ACTION} denied by lifecycle plugin '
            f'{plugin.name}: {runner.user_message(error)}' if is_denial else
            f'Lifecycle plugin {plugin.name} failed in a dry run of {_ACTION}:'
            f' {runner.user_message(error)}', is_certain=is_denial)


def _dry_run_call(context, update):
    def arguments(name):
        return (context, read_only.wrap_value(update.stack, name),
                read_only.wrap_value(update.updated, name))
    return runner.Call(_ACTION, arguments, enter=getattr(
        context, 'update_store', lambda: None))
