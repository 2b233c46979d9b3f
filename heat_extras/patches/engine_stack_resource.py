# SPDX-License-Identifier: Apache-2.0

"""Extends Heat's StackResource: its RPC calls are marked as parent calls."""

from heat_extras.heat_internals import parent_call
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.resources.stack_resource:StackResource')
class StackResourceMixin:
    """Extends heat.engine.resources.stack_resource:StackResource."""

    @monkey_patch.wrap(
        '(self)', why='the only RPC client of the resource, and a user '
                      'calls the same RPC methods')
    def rpc_client(self, original):
        return parent_call.mark_client(original())
