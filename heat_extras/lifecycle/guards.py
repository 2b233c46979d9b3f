# SPDX-License-Identifier: Apache-2.0

"""Lifecycle plugins as guards."""

from heat_extras import guard
from heat_extras.lifecycle import options
from heat_extras.lifecycle import registry

_ACTIONS_UNKNOWN = (
    'the lifecycle plugin does not state on which actions it decides. Heat '
    'calls the plugin before each of these actions, and the plugin can deny '
    'the action')
_ACTIONS_KNOWN = (
    'Heat calls the lifecycle plugin before each of these actions, and the '
    'plugin can deny the action')

# From an action of a plugin to the actions of a guard.
_STOPS = {
    'UPDATE': ('update', 'replace'), 'DELETE': ('delete', 'abandon'),
    'SUSPEND': ('suspend',), 'RESUME': ('resume',), 'CHECK': ('check',),
    'SNAPSHOT': ('snapshot',), 'RESTORE': ('restore',), 'LOCK': ('lock',),
    'UNLOCK': ('unlock',)}


def list_guards(context, tree):
    """List the plugins that can deny an action, without a query.

    Each plugin is listed once, for the stack of the request: its decision
    about a nested stack is not known.
    """
    return [
        _make_guard(tree.stack.id, plugin, stopped)
        for plugin in registry.list_plugins() if plugin.mode == options.FAIL
        for stopped in [_stopped_actions(plugin)] if stopped]


def _stopped_actions(plugin):
    return tuple(name for action, names in _STOPS.items()
                 if plugin.is_asked(action) for name in names)


def _make_guard(stack_id, plugin, stopped):
    return guard.Guard(
        kind='plugin', stack_id=stack_id, name=plugin.name,
        stops=(), may_stop=stopped,
        reason=(_ACTIONS_UNKNOWN if plugin.judged is None
                else _ACTIONS_KNOWN),
        lifted_by='the operator', how_to_lift='ask the operator of this Heat')
