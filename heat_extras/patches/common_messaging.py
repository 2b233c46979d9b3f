# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.messaging`: calls of parents, and who calls."""

from heat_extras.heat_internals import caller
from heat_extras.heat_internals import parent_call
from heat_extras import monkey_patch

_WHY = ('what an RPC method is called with is fixed, and a parent calls the '
        'same as a person')


@monkey_patch.extends('heat.common.messaging:RequestContextSerializer')
class RequestContextSerializerMixin:
    """Extends heat.common.messaging:RequestContextSerializer."""

    @monkey_patch.wrap('(ctxt)', why=_WHY)
    def serialize_context(original, ctxt):
        message_context = original(ctxt)
        parent_call.mark(message_context)
        return message_context

    @monkey_patch.wrap(
        '(ctxt)', why=_WHY + '; and the name that it brings can '
        'be a claim of the caller')
    def deserialize_context(original, ctxt):
        is_marked = parent_call.take(ctxt)
        context = original(ctxt)
        caller.apply_token(context)
        if is_marked:
            parent_call.remember(context)
        return context
