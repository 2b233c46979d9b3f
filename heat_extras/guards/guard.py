# SPDX-License-Identifier: Apache-2.0

"""The list of guards, and Heat's own ``restricted_actions`` in it."""

from heat.db import models
from heat.engine import environment
import sqlalchemy

from heat_extras import gate
from heat_extras import guard
from heat_extras.guards import errors
from heat_extras.heat_internals import guarded_stacks
from heat_extras import timestamps


_stack = models.Stack.__table__
_template = models.RawTemplate.__table__
_resource = models.Resource.__table__

# The values that Heat knows, and the actions that they stop.
_STOPS = {'update': ('update',), 'replace': ('update', 'replace')}
_KEY = 'restricted_actions'


def list_guards(context, tree):
    """List the resources that an environment restricts.

    This needs one query, or two if an environment has restrictions.
    """
    registries = _restricting_registries(context, tree)
    if not registries:
        return []
    names = guarded_stacks.run_query(context, sqlalchemy.select(
        _resource.c.stack_id, _resource.c.name).distinct().where(
            _resource.c.stack_id.in_(list(registries)),
            _resource.c.action != 'DELETE'))
    return [_to_guard(tree, row, action) for row in names
            for action in sorted(
                registries[row.stack_id].get_rsrc_restricted_actions(
                    row.name)) if action in _STOPS]


def _restricting_registries(context, tree):
    """Return the registries of stacks with restrictions, by stack ID."""
    environments = guarded_stacks.run_query(context, sqlalchemy.select(
        _stack.c.id, _template.c.environment).where(
            _stack.c.id.in_(tree.ids),
            _template.c.id == _stack.c.raw_template_id,
            _template.c.environment.cast(sqlalchemy.Text).contains(_KEY)))
    return {row.id: environment.Environment(row.environment).registry
            for row in environments}


def _to_guard(tree, row, action):
    return guard.GuardInfo(
        kind='restriction', stack_id=row.stack_id, stops=_STOPS[action],
        name=row.name, reason=f'{_KEY}: {action}',
        lifted_by='stacks:update',
        how_to_lift=f'update stack {tree.root_name} with an environment that '
                    f'has no "{_KEY}" for resource {row.name}')


def list_stack_guards(engine, context, stack_identity, nested=True,
                      blocking=None, at=None):
    """List the guards of a stack, and the actions that they stop.

    :param engine: the heat.engine.service.EngineService.
    :param nested: whether to also list the guards of nested stacks.
    :param blocking: list only guards that stop this action.
    :param at: list the guards of a time like ``2026-12-24T18:00:00Z``.
    :returns: a list of dicts, see :class:`heat_extras.guard.GuardInfo`.
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
    tree = guarded_stacks.load_tree(context, stack, nested, at)
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
    if action not in guard.ACTIONS:
        raise errors.GuardsInvalid(
            message=f'Invalid blocking: {text!r} must be one of '
                    f'{", ".join(guard.ACTIONS)}.')
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
        return list_guards(context, tree)
