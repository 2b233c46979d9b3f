# SPDX-License-Identifier: Apache-2.0

"""Ask lifecycle plugins whether they would deny the actions of an update.

A plugin is asked if it has a method ``do_dry_run``. The method takes the
arguments of ``do_pre_op`` and raises the same errors, but changes no state.

A plan asks about each stack of the tree. An update or create asks about the
nested stacks after its own pre calls, if their templates and parameters are
known. The pre calls of a nested stack are made when Heat starts its action.
"""

import dataclasses

from heat.engine.resources import stack_resource
from heat.objects import stack as stack_object

from heat_extras import guard
from heat_extras.lifecycle import options
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import read_only
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner
from heat_extras.plan import stack_plan
from heat_extras.plan import tree_plan

_UPDATE = 'UPDATE'
_CREATING = ('CREATE', 'ADOPT')


def list_stops(context, update):
    """List the plugins that deny an update, and those that cannot be asked."""
    plugins = [plugin for plugin in registry.list_plugins()
               if plugin.mode == options.FAIL]
    if not plugins:
        return []
    action = update.stack.action if update.is_creation else _UPDATE
    actions = [
        tree_plan.NestedAction((), action, update.stack, update.updated),
        *_actions_of(update.plan, action)]
    return [stop for plugin in plugins
            for stop in _plugin_stops(plugin, context, actions)]


def _plugin_stops(plugin, context, actions):
    method = plugin.method(runner.DRY_RUN)
    asked = [each for each in actions if plugin.is_asked(each.action)]
    if asked and method is None:
        yield guard.Stop(
            'LifecyclePluginNotAsked', f'Lifecycle plugin {plugin.name} was '
            'not asked, because it has no dry run. The plugin is asked when '
            'the action of each stack starts, and may deny the action.',
            is_certain=False)
        return
    for each in asked:
        call = _make_call(context, each, runner.Call(
            each.action, None, enter=getattr(context, 'update_store',
                                             lambda: None)))
        error = call.make(plugin, method)
        if error is None:
            continue
        is_denial = runner.is_denial(error)
        if is_denial or plugin.on_error == options.DENY:
            yield _make_stop(plugin, call, error, is_denial, each.is_certain)
        if not is_denial:
            return


def _make_stop(plugin, call, error, is_denial, is_known):
    reason = runner.user_message(error)
    return guard.Stop(
        'LifecyclePluginDenied',
        f'{call.subject} denied by lifecycle plugin {plugin.name}: {reason}'
        if is_denial else f'Lifecycle plugin {plugin.name} failed in a dry '
        f'run of {call.subject}: {reason}', call.path or None,
        is_certain=is_denial and is_known, is_before_start=is_known)


def _make_call(context, nested, call, **values):
    """Return a call for a nested stack."""
    def arguments(name):
        shown = {**values, 'resource_path': nested.path}
        return (context, read_only.wrap_value(nested.stack, name, **shown),
                read_only.wrap_value(nested.new_stack, name, **shown))
    return dataclasses.replace(call, action=nested.action, arguments=arguments,
                               path='/'.join(nested.path))


def check_nested(stack, new_stack, call, operation_id, prepare):
    """Ask plugins about the nested stacks of an action before it starts.

    The nested stacks of a nested stack are not asked about again if the action
    on its parent is in progress.

    :param call: the :class:`runner.Call` of the pre calls.
    :param prepare: a function that is called before the first call.
    :raises ActionDenied: if a plugin denies the action on a nested stack.
    """
    plugins = [plugin for plugin in registry.list_plugins()
               if plugin.mode == options.FAIL
               and plugin.method(runner.DRY_RUN) is not None]
    if not (plugins and call.action in plugin_api.WITH_TEMPLATE
            and _has_nested(stack, new_stack)) or _is_part(stack):
        return
    calls = [_make_call(stack.context, each, call, operation_id=operation_id)
             for each in _list_actions(stack, new_stack, call.action)
             if each.is_certain]
    if calls:
        prepare()
        runner.run_dry_runs(plugins, calls)


def _has_nested(*stacks):
    return any(isinstance(resource, stack_resource.StackResource)
               for stack in stacks if stack is not None
               for resource in stack.resources.values())


def _is_part(stack):
    if stack.owner_id is None:
        return False
    parent = stack_object.Stack.get_by_id(stack.context, stack.owner_id,
                                          eager_load=False)
    return parent is not None and parent.status == stack.IN_PROGRESS


def _list_actions(stack, new_stack, action):
    return _actions_of(
        stack_plan.plan_create(stack) if action in _CREATING
        else stack_plan.plan_update(stack, new_stack), action)


def _actions_of(plan, action):
    """List the actions on nested stacks, for an update or a creation."""
    actions = tree_plan.list_actions(plan)
    return ([dataclasses.replace(each, action=action) for each in actions]
            if action in _CREATING else actions)
