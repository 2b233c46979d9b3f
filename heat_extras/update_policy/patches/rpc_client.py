# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.rpc.client`: a parent tells what is around a stack."""

from heat_extras import monkey_patch
from heat_extras.update_policy import policy_flag


@monkey_patch.extends('heat.rpc.client:EngineClient')
class UpdatePolicyEngineClientMixin:
    """Extends heat.rpc.client:EngineClient."""

    @monkey_patch.wrap(
        '(self, ctxt, stack_name, template, params, files, args, '
        'environment_files=None, files_container=None, owner_id=None, '
        'nested_depth=0, user_creds_id=None, stack_user_project_id=None, '
        'parent_resource_name=None, template_id=None)',
        why='the arguments of the message are made here')
    def _create_stack(self, original, ctxt, stack_name, template, params,
                      files, args, *rest, **kwargs):
        if policy_flag.is_around():
            args = {**args, policy_flag.ARGUMENT: True}
        return original(ctxt, stack_name, template, params, files, args,
                        *rest, **kwargs)
