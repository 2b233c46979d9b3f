# SPDX-License-Identifier: Apache-2.0

"""List the guards of all kinds."""

from heat_extras import gate
from heat_extras.guards import request_args
from heat_extras.heat_internals import guard_tree


def list_stack_guards(engine, context, stack_identity, nested=True,
                      blocking=None, at=None):
    """List the guards of a stack, and the actions that they stop.

    :param engine: the heat.engine.service.EngineService.
    :param nested: whether to also list the guards of nested stacks.
    :param blocking: list only guards that stop this action.
    :param at: list the guards of a time like ``2026-12-24T18:00:00Z``.
    :returns: a list of dicts, see :class:`heat_extras.guard_info.GuardInfo`.
    :raises GuardsInvalid: if the action or the time is not valid.
    """
    action = request_args.parse_action(blocking)
    time = request_args.parse_time(at)
    stack = engine._get_stack(context, stack_identity)
    return list_bodies(context, stack, nested, action, time)


def list_bodies(context, stack, nested=True, blocking=None, at=None):
    """List the guards of a stack as in the response of the API.

    :param stack: the row that Heat loaded.
    :param nested: whether to also list the guards of nested stacks.
    :param blocking: list only guards that stop, or may stop, this action.
    :param at: list the guards of this time, or of now if None.
    """
    tree = guard_tree.load_tree(context, stack, nested, at)
    guards = [each for each in gate.list_guards(context, tree)
              if (blocking is None or each.blocks(blocking))
              and not _is_expired(each, at)]
    order = {stack_id: index for index, stack_id in enumerate(tree.ids)}
    guards.sort(key=lambda each: (order[each.stack_id], each.kind,
                                  each.name or ''))
    return [each.to_body(tree.name_of(each.stack_id)) for each in guards]


def _is_expired(guard, at):
    return (None not in (at, guard.expires_at)) and guard.expires_at <= at
