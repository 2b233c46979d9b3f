# SPDX-License-Identifier: Apache-2.0

"""The guards that providers install: lifecycle plugins."""

from heat_extras import guard
from heat_extras.lifecycle import options
from heat_extras.lifecycle import registry

_ASKED = ('the lifecycle plugin does not say which actions it judges: it is '
          'asked before each of these, and may deny it')
_JUDGED = ('the lifecycle plugin judges each of these actions, and denies '
           'those that do not suit it')

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
            for plugin in registry.ordered() if plugin.mode == options.FAIL
            for stopped in [_stopped(plugin)] if stopped]


def _stopped(plugin):
    return tuple(stopped for action, names in _STOPS.items()
                 if plugin.is_asked(action) for stopped in names)


def _guard(found, plugin, stopped):
    return guard.Guard(
        kind='plugin', stack_id=found.stack.id, name=plugin.name,
        stops=(), may_stop=stopped,
        reason=_ASKED if plugin.judged is None else _JUDGED,
        lifted_by='the operator', how_to_lift='ask the operator of this Heat')
