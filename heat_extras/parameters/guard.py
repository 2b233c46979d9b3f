# SPDX-License-Identifier: Apache-2.0

"""Parameters that are not updatable."""

from oslo_config import cfg

from heat_extras.db import stack_columns
from heat_extras import guard
from heat_extras import guard_info
from heat_extras.heat_internals import operation_names
from heat_extras.parameters import update_check
from heat_extras.parameters import values

_HOW_TO_LIFT = {
    'same_update': 'update the stack with a template that removes the '
                   'restriction (the same update can change the value)',
    'two_step': 'first update the stack with a template that removes the '
                'restriction, and keep the value. Then change the value with '
                'a second update',
}


class ParametersGuard(guard.Guard):
    """Rejects updates and restores that change immutable parameters."""

    answers = {'show_stack': values.add_updatable_field}

    def process(self, request, proceed):
        # A preview is not a rejected update.
        return (update_check.process(request, proceed)
                if request.operation in (operation_names.UPDATE,
                                         operation_names.RESTORE)
                else proceed())

    def prepare_update(self, update, proceed):
        return update_check.check_prepared_update(
            proceed, update.stack, update.is_from_parent)

    def restore(self, stack, proceed):
        restored, template = proceed()
        update_check.check_restored(stack, restored, template)
        return restored, template

    def stored_columns(self, stack):
        return {values.FIELD: values.updatable_column(stack.parameters)}

    def format_stack(self, info, stack):
        # From the template, because the stack may be older than the column.
        values.add_field(info, values.updatable_column(stack.parameters))

    def format_row(self, info, row):
        values.add_field(info, stack_columns.get_columns(row).updatable)

    def list_guards(self, context, tree):
        # Without a query.
        how = _HOW_TO_LIFT[cfg.CONF.heat_extras.parameter_lift]
        return [
            guard_info.GuardInfo(
                kind='parameter', stack_id=row.id, name=name,
                stops=('update', 'restore'),
                reason='not updatable in the template: updates cannot change '
                       'the value',
                lifted_by='stacks:update', how_to_lift=how)
            for row in tree.stacks
            for name, is_updatable in (row.updatable or {}).items()
            if not is_updatable]
