# SPDX-License-Identifier: Apache-2.0

"""The list of guards, and Heat's own ``restricted_actions`` in it."""

from heat_extras import gate
from heat_extras import guard
from heat_extras import guard_info
from heat_extras.guards import errors
from heat_extras.guards import restricted_actions
from heat_extras.heat_internals import guard_tree
from heat_extras import timestamps


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
    action = parse_action(blocking)
    time = parse_time(at)
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


def _is_expired(info, at):
    return (None not in (at, info.expires_at)) and info.expires_at <= at


def parse_action(text):
    """Parse the name of an action, in any usual spelling.

    :param text: the name, or None for all actions.
    :raises GuardsInvalid: with the names of all actions.
    """
    if text is None:
        return None
    action = text.strip().lower().replace('-', '_')
    if action not in guard_info.ACTIONS:
        raise errors.GuardsInvalid(
            message=f'Invalid blocking: {text!r} must be one of '
                    f'{", ".join(guard_info.ACTIONS)}.')
    return action


def parse_time(text):
    """Parse the time for which to list guards.

    :param text: a time like ``2026-12-24T18:00:00Z``, or None for now.
    :raises GuardsInvalid: if the text is not a time.
    """
    if text is None:
        return None
    try:
        return timestamps.parse(text, 'at')
    except ValueError as error:
        raise errors.GuardsInvalid(message=str(error)) from error


class ListGuard(guard.Guard):
    """Lists what other guards, and Heat itself, reject."""

    methods = {'stack_guards': list_stack_guards}

    def list_guards(self, context, tree):
        return restricted_actions.list_guards(context, tree)
