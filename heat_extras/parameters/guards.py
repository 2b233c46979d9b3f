# SPDX-License-Identifier: Apache-2.0

"""The guards that templates set: parameters that stay."""

from oslo_config import cfg

from heat_extras import guard

_HOW_TO_LIFT = {
    'same_update': 'update the stack with a template that lifts it; the '
                   'value may change with the same update',
    'two_step': 'update the stack with a template that lifts it and the '
                'same value first',
}


def list_guards(context, found):
    """List the parameters that are not updatable; no query of its own."""
    how = _HOW_TO_LIFT[cfg.CONF.heat_extras.parameter_lift]
    return [
        guard.Guard(
            kind='parameter', stack_id=row.id, name=name,
            stops=('update', 'restore'),
            reason='the template says that it is not updatable: no update '
                   'may change its value',
            lifted_by='stacks:update', how_to_lift=how)
        for row in found.stacks
        for name, is_updatable in (row.updatable or {}).items()
        if not is_updatable]
