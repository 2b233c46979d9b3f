# SPDX-License-Identifier: Apache-2.0

"""Immutable parameters as guards."""

from oslo_config import cfg

from heat_extras import guard

_HOW_TO_LIFT = {
    'same_update': 'update the stack with a template that removes the '
                   'restriction (the same update can change the value)',
    'two_step': 'first update the stack with a template that removes the '
                'restriction, and keep the value. Then change the value with '
                'a second update',
}


def list_guards(context, tree):
    """List the parameters that are not updatable, without a query."""
    how = _HOW_TO_LIFT[cfg.CONF.heat_extras.parameter_lift]
    return [
        guard.Guard(
            kind='parameter', stack_id=row.id, name=name,
            stops=('update', 'restore'),
            reason='not updatable in the template: updates cannot change '
                   'the value',
            lifted_by='stacks:update', how_to_lift=how)
        for row in tree.stacks
        for name, is_updatable in (row.updatable or {}).items()
        if not is_updatable]
