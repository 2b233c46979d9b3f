# SPDX-License-Identifier: Apache-2.0

"""Guards that Heat itself has: ``restricted_actions`` in environments."""

from heat.db import models
from heat.engine import environment
import sqlalchemy

from heat_extras import guard
from heat_extras.heat_internals import guard_tree

_stack = models.Stack.__table__
_template = models.RawTemplate.__table__
_resource = models.Resource.__table__

# What Heat can restrict, and what that stops.
_STOPS = {'update': ('update',), 'replace': ('update', 'replace')}
_WORD = 'restricted_actions'


def list_guards(context, found):
    """List the resources that an environment restricts.

    One query, or two where an environment restricts anything.
    """
    registries = _registries(context, found)
    if not registries:
        return []
    names = guard_tree.run_query(context, sqlalchemy.select(
        _resource.c.stack_id, _resource.c.name).distinct().where(
            _resource.c.stack_id.in_(list(registries)),
            _resource.c.action != 'DELETE'))
    return [_guard(found, row, action) for row in names
            for action in sorted(
                registries[row.stack_id].get_rsrc_restricted_actions(
                    row.name)) if action in _STOPS]


def _registries(context, found):
    """Map the stacks that restrict anything to their registries."""
    environments = guard_tree.run_query(context, sqlalchemy.select(
        _stack.c.id, _template.c.environment).where(
            _stack.c.id.in_(found.ids),
            _template.c.id == _stack.c.raw_template_id,
            _template.c.environment.cast(sqlalchemy.Text).contains(_WORD)))
    return {row.id: environment.Environment(row.environment).registry
            for row in environments}


def _guard(found, row, action):
    return guard.Guard(
        kind='restriction', stack_id=row.stack_id, stops=_STOPS[action],
        name=row.name, reason=f'{_WORD}: {action}',
        lifted_by='stacks:update',
        how_to_lift=f'update stack {found.root_name} with an environment '
                    f'without {_WORD} for {row.name}')
