# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.messaging`: parent calls and the caller's name."""

from heat_extras.heat_internals import caller
from heat_extras.heat_internals import parent_call
from heat_extras import monkey_patch

_WHY = ('the arguments of an RPC method are fixed, and a parent stack calls '
        'the same methods as a user')


@monkey_patch.extends('heat.common.messaging:RequestContextSerializer')
class RequestContextSerializerMixin:
    """Extends heat.common.messaging:RequestContextSerializer."""

    @monkey_patch.wrap('(ctxt)', why=_WHY)
    def serialize_context(original, ctxt):
        message_context = original(ctxt)
        parent_call.add_mark(message_context)
        return message_context

    @monkey_patch.wrap(
        '(ctxt)', why=_WHY + ', and the user name in the context can be '
        "the caller's own claim")
    def deserialize_context(original, ctxt):
        is_marked = parent_call.pop_mark(ctxt)
        context = original(ctxt)
        caller.apply_token(context)
        if is_marked:
            parent_call.set_parent_call(context)
        return context
