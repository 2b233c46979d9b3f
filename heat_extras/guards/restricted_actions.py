# SPDX-License-Identifier: Apache-2.0

"""List Heat's own ``restricted_actions`` of environments as guards."""

from heat.db import models
from heat.engine import environment
import sqlalchemy

from heat_extras import guard_info
from heat_extras.heat_internals import guard_tree

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
    names = guard_tree.run_query(context, sqlalchemy.select(
        _resource.c.stack_id, _resource.c.name).distinct().where(
            _resource.c.stack_id.in_(list(registries)),
            _resource.c.action != 'DELETE'))
    return [_to_guard(tree, row, action) for row in names
            for action in sorted(
                registries[row.stack_id].get_rsrc_restricted_actions(
                    row.name)) if action in _STOPS]


def _restricting_registries(context, tree):
    """Return the registries of stacks with restrictions, by stack ID."""
    environments = guard_tree.run_query(context, sqlalchemy.select(
        _stack.c.id, _template.c.environment).where(
            _stack.c.id.in_(tree.ids),
            _template.c.id == _stack.c.raw_template_id,
            _template.c.environment.cast(sqlalchemy.Text).contains(_KEY)))
    return {row.id: environment.Environment(row.environment).registry
            for row in environments}


def _to_guard(tree, row, action):
    return guard_info.GuardInfo(
        kind='restriction', stack_id=row.stack_id, stops=_STOPS[action],
        name=row.name, reason=f'{_KEY}: {action}',
        lifted_by='stacks:update',
        how_to_lift=f'update stack {tree.root_name} with an environment that '
                    f'has no "{_KEY}" for resource {row.name}')
