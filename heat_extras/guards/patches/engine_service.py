# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: an RPC method that lists guards."""

from heat.common import context as heat_context

from heat_extras.guards import listing
from heat_extras.guards import request_args
from heat_extras.heat_internals import rpc_errors
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.service:EngineService')
class GuardsServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.add(why='the API calls the engine by RPC')
    @heat_context.request_context
    def stack_guards(self, cnxt, stack_identity, nested=True, blocking=None,
                     at=None):
        """List the guards of a stack, and the actions that they stop.

        :param nested: whether to also list the guards of nested stacks.
        :param blocking: list only guards that stop this action.
        :param at: list the guards of a time like ``2026-12-24T18:00:00Z``.
        :returns: a list of dicts, see :class:`heat_extras.guard`.
        :raises GuardsInvalid: if the action or the time is not valid.
        """
        action = request_args.parse_action(blocking)
        time = request_args.parse_time(at)
        with rpc_errors.hide_internal_errors('guards', is_own=True):
            stack = self._get_stack(cnxt, stack_identity)
            return listing.list_bodies(cnxt, stack, nested, action, time)
