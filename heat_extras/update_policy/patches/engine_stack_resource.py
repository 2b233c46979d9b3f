# SPDX-License-Identifier: Apache-2.0

"""Extends Heat's nested stacks: what is around one."""

from heat_extras import monkey_patch
from heat_extras.update_policy import allow
from heat_extras.update_policy import policy_flag


@monkey_patch.extends('heat.engine.resources.stack_resource:StackResource')
class UpdatePolicyStackResourceMixin:
    """Extends heat.engine.resources.stack_resource:StackResource."""

    @monkey_patch.wrap('(self, child_template, user_params=None, '
                       'timeout_mins=None, adopt_data=None)',
                       why='only the parent knows, without a statement, that '
                           'there is a policy around the new stack')
    def create_with_template(self, original, *args, **kwargs):
        with policy_flag.around(policy_flag.of(self.stack) is True
                                or allow.is_written(self.t)):
            return original(*args, **kwargs)
