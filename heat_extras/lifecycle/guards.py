# SPDX-License-Identifier: Apache-2.0

"""The guards that providers install: lifecycle plugins."""

from heat_extras import guard
from heat_extras.lifecycle import plugin as plugins
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import words

# The actions of a guard that the actions of a plugin are.
_STOPS = {
    'UPDATE': ('update', 'replace'), 'DELETE': ('delete', 'abandon'),
    'SUSPEND': ('suspend',), 'RESUME': ('resume',), 'CHECK': ('check',),
    'SNAPSHOT': ('snapshot',), 'RESTORE': ('restore',), 'LOCK': ('lock',),
    'UNLOCK': ('unlock',)}


def list_guards(context, found):
    """List the plugins that may deny an action; no query.

    What a plugin will say is its own affair: each is told once, for the
    stack that was asked for.
    """
    return [_guard(found, plugin, stopped)
            for plugin in registry.ordered() if plugin.mode == plugins.FAIL
            for stopped in [_stopped(plugin)] if stopped]


def _stopped(plugin):
    return tuple(stopped for action, names in _STOPS.items()
                 if plugin.is_asked(action) for stopped in names)


def _guard(found, plugin, stopped):
    return guard.Guard(
        kind='plugin', stack_id=found.stack.id, name=plugin.name,
        stops=(), may_stop=stopped,
        reason=words.ASKED if plugin.judged is None else words.JUDGED,
        lifted_by=words.OPERATOR, how_to_lift=words.HOW_TO_LIFT)
