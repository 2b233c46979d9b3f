# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.messaging`: requests, and who sends them."""

from heat_extras.heat_internals import caller
from heat_extras import monkey_patch
from heat_extras import rpc_endpoint

EXTENDS = 'heat.common.messaging'


@monkey_patch.wrap('(target, endpoint)',
                   why='an engine has no hook before an RPC method loads and '
                       'changes a stack, and none to add a method')
def get_rpc_server(original, target, endpoint):
    return original(target, rpc_endpoint.put_before(endpoint))


@monkey_patch.extends('heat.common.messaging:RequestContextSerializer')
class RequestContextSerializerMixin:

    @monkey_patch.wrap(
        '(ctxt)', why='the arguments of an RPC method are fixed, a parent '
        'stack calls the same methods as a user, and the user name in the '
        "context can be the caller's own claim")
    def deserialize_context(original, ctxt):
        is_marked = caller.pop_mark(ctxt)
        context = original(ctxt)
        caller.apply_token(context)
        if is_marked:
            caller.set_parent_call(context)
        return context
