# SPDX-License-Identifier: Apache-2.0

"""Lifecycle plugins, which can deny actions."""

from heat_extras import guard
from heat_extras.heat_internals import final_status
from heat_extras.heat_internals import object_data
from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import dry_run
from heat_extras.lifecycle import legacy_engine
from heat_extras.lifecycle import lock_callback
from heat_extras.lifecycle import options
from heat_extras.lifecycle import pre_post
from heat_extras.lifecycle import recovery
from heat_extras.lifecycle import registry
from heat_extras import rpc_request

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


class LifecycleGuard(guard.Guard):
    """Lists plugins. :mod:`heat_extras.lifecycle.convergence` calls them."""

    def process(self, request, proceed):
        if request.operation == rpc_request.UPDATE:
            return pre_post.process_update(request, proceed)
        if request.operation == rpc_request.ABANDON:
            return lock_callback.process_abandon(request, proceed)
        return proceed()

    def start_convergence(self, stack, start, proceed):
        if not pre_post.has_plugins():
            return proceed()
        return convergence.start_operation(stack, start)

    def run_legacy_update(self, stack, start, proceed):
        return legacy_engine.run_task(stack, proceed(),
                                      start.options['notify'])

    def roll_back(self, stack, proceed):
        if not (pre_post.has_plugins() and convergence.has_not_begun(stack)):
            return proceed()
        # A cancel during the pre calls.
        convergence.fail_not_begun(stack, stack.action,
                                   f'Stack {stack.action} cancelled')

    def store(self, stack, proceed):
        stored = (final_status.write_stack(stack, proceed)
                  if pre_post.is_final_state(stack, stack.status)
                  else proceed())
        state = object_data.of_stack(stack).lifecycle
        if state.is_stored is None:
            state.is_stored = stored is not None
        return stored

    def release_stack_lock(self, stack, engine_id, proceed):
        return (final_status.write_stack(stack, proceed)
                if pre_post.has_plugins() else proceed())

    def list_stops(self, context, update):
        return dry_run.list_stops(context, update)

    def list_guards(self, context, tree):
        # Each plugin is listed once, for the stack of the request: its
        # decision about a nested stack is not known.
        return [
            _make_guard(tree.stack.id, plugin, stopped)
            for plugin in registry.list_plugins()
            if plugin.mode == options.FAIL
            for stopped in [_stopped_actions(plugin)] if stopped]

    def sweep_steps(self):
        return {'interrupted operations': recovery.recover_operations}


def _stopped_actions(plugin):
    return tuple(name for action, names in _STOPS.items()
                 if plugin.is_asked(action) for name in names)


def _make_guard(stack_id, plugin, stopped):
    return guard.GuardInfo(
        kind='plugin', stack_id=stack_id, name=plugin.name,
        stops=(), may_stop=stopped,
        reason=(_ACTIONS_UNKNOWN if plugin.judged is None
                else _ACTIONS_KNOWN),
        lifted_by='the operator', how_to_lift='ask the operator of this Heat')
