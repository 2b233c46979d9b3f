# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: the template after a failed update."""

import functools

from heat_extras import monkey_patch
from heat_extras.pre_update_state import last_applied


@monkey_patch.extends('heat.engine.stack:Stack')
class StackMixin:
    """Extends heat.engine.stack:Stack."""

    @monkey_patch.wrap(
        '(self, existing_params, new_template, bkp_stack_template)',
        why='the legacy engine forgets the resources whose conditions are '
            'false in the template and with the parameters of a failed update')
    def _merge_user_param_template(self, original, *args):
        last_applied.keep_definitions(self, functools.partial(original, *args))

    @monkey_patch.wrap('(self)', why='a check deletes the template of the '
                                     'resources that a failed update left')
    def purge_db(self, original):
        last_applied.keep_template(self)
        return original()
