# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: the column, and convergence restores."""

from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.parameters import rules
from heat_extras.parameters import update_check
from heat_extras.parameters import values


@monkey_patch.extends('heat.engine.stack:Stack')
class ParametersStackMixin:
    """Extends heat.engine.stack:Stack."""

    @monkey_patch.wrap(
        signatures.GET_KWARGS_FOR_CLONING,
        why='Stack.store() writes these values together with the template')
    def get_kwargs_for_cloning(self, original, keep_status=False,
                               only_db=False, keep_tags=False):
        kwargs = original(keep_status=keep_status, only_db=only_db,
                          keep_tags=keep_tags)
        if only_db:
            kwargs['updatable'] = values.updatable_column(self.parameters)
        return kwargs

    @monkey_patch.wrap(
        '(self, snapshot)',
        why='with convergence, the last step before the restored '
            'template becomes the current one')
    def restore_data(self, original, snapshot):
        restored, template = original(snapshot)
        values.keep_spelling(self.parameters, restored.parameters,
                             template.env.params, self.parameters)
        if self.convergence:
            update_check.check_update(self, restored, rules.Operation.RESTORE)
        return restored, template
