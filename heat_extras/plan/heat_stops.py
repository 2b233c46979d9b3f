# SPDX-License-Identifier: Apache-2.0

"""Checks of Heat itself that stop an update."""

from heat.engine.resources import stack_resource

from heat_extras.update_plan import change
from heat_extras.update_plan import plan_stop

_RESTRICTED = {change.UPDATE: 'update', change.REPLACE: 'replace'}


def list_stops(context, update):
    """List the :class:`plan_stop.Stop` objects of checks in Heat itself."""
    return [*_stack_stops(update.stack),
            *(stop for entry in update.entries
              for stop in _resource_stops(entry))]


def _stack_stops(stack):
    # Same as EngineService.update_stack and
    # ThreadGroupManager.start_with_lock.
    for action in (stack.SUSPEND, stack.DELETE):
        if stack.action == action:
            yield plan_stop.Stop(
                'NotSupported', 'A stack cannot be updated after '
                f'{action}_{stack.status}.')
    if stack.status == stack.IN_PROGRESS and not stack.convergence:
        yield plan_stop.Stop(
            'ActionInProgress',
            f'{stack.action} of stack {stack.name} is in progress.')


def _resource_stops(entry):
    path = '/'.join(entry.path)
    if entry.change.rejection is not None:
        yield plan_stop.Stop('NotSupported', entry.change.rejection, path,
                             is_certain=entry.change.will_happen,
                             is_before_start=False)
    if entry.name not in entry.plan.new_names or not entry.plan.exists(
            entry.name):
        return
    restricted = entry.plan.planned.env.registry.get_rsrc_restricted_actions(
        entry.name)
    action = _RESTRICTED.get(entry.change.shown_action)
    # Heat treats every nested stack as updated.
    if action is None and issubclass(entry.plan.new_type(entry.name),
                                     stack_resource.StackResource):
        action = _RESTRICTED[change.UPDATE]
    if action in restricted:
        yield plan_stop.Stop(
            'ResourceActionRestricted', f'The action "{action}" is restricted '
                                        f'for resource {path} by '
                                        'restricted_actions of the '
                                        'environment.', path,
            is_certain=entry.change.will_happen, is_before_start=False)
