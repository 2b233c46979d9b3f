# SPDX-License-Identifier: Apache-2.0

"""Extends Heat's StackResource: its RPC calls are marked as parent calls."""

from heat.common import exception

from heat_extras.heat_internals import caller
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.resources.stack_resource:StackResource')
class StackResourceMixin:

    @monkey_patch.wrap(
        '(self)', why='the only RPC client of the resource, and a user '
                      'calls the same RPC methods')
    def rpc_client(self, original):
        return caller.mark_client(original())

    @monkey_patch.wrap(
        '(self, expected_action, cookie=None)',
        why='the exception has a space after each colon in the reason of the '
            'nested stack, also in resource types')
    def _check_status_complete(self, original, *args, **kwargs):
        try:
            return original(*args, **kwargs)
        except exception.ResourceFailure as failure:
            failure.error_message = failure.error_message.replace(': : ', '::')
            raise exception.ResourceFailure(failure, self,
                                            failure.action) from failure
