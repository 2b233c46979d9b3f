# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: the question of the API."""

from heat.common import context as heat_context

from heat_extras import exception
from heat_extras.guards import listing
from heat_extras.guards import request_args
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.service:EngineService')
class GuardsServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.add(why='the API asks the engine by RPC method')
    @heat_context.request_context
    def stack_guards(self, cnxt, stack_identity, nested=True, blocking=None,
                     at=None):
        """List what protects a stack from which actions.

        :param nested: whether to list the guards of nested stacks, too.
        :param blocking: only those that stop this action.
        :param at: those of a moment like ``2026-12-24T18:00:00Z``.
        :returns: a list of dicts, see :class:`heat_extras.guard`.
        :raises GuardsInvalid: for an action that there is not, or what is
            no moment.
        """
        action = request_args.parse_action(blocking)
        moment = request_args.parse_moment(at)
        with exception.hide_internal_errors('guards', is_own=True):
            stack = self._get_stack(cnxt, stack_identity)
            return listing.bodies(cnxt, stack, nested, action, moment)
