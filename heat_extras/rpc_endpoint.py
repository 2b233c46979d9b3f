# SPDX-License-Identifier: Apache-2.0

"""The RPC methods of an engine, behind the gate.

oslo.messaging calls the methods of an endpoint, which is Heat's EngineService.
With heat-extras, it is an :class:`Endpoint`. A request that starts an
operation is processed by :mod:`heat_extras.gate`. All other requests go
directly to the EngineService.

Heat's engine calls some of these methods itself. ``export_stack`` calls
``abandon_stack``, as part of the same request. No other call is a request.
"""

import functools

from heat.engine import service

from heat_extras import gate
from heat_extras.heat_internals import rpc_errors
from heat_extras import rpc_request


def put_before(endpoint):
    """Return an endpoint with the gate, if it is the endpoint of an engine."""
    return (Endpoint(endpoint)
            if isinstance(endpoint, service.EngineService) else endpoint)


class Endpoint:
    """The endpoint of one engine.

    :param engine: the heat.engine.service.EngineService.
    """

    def __init__(self, engine):
        self._engine = engine
        for name in rpc_request.OPERATIONS:
            setattr(self, name, functools.partial(self._process, name))
        for guard in gate.all_guards():
            for name, function in guard.methods.items():
                setattr(self, name, functools.partial(self._call_own, name,
                                                      function))
            for name, complete in guard.answers.items():
                setattr(self, name, functools.partial(
                    self._complete, getattr(self, name), complete))

    def __getattr__(self, name):
        return getattr(self._engine, name)

    def _process(self, name, context, /, **arguments):
        request = rpc_request.Request(rpc_request.OPERATIONS[name], context,
                                      self._engine, arguments)

        def call():
            # A guard can have changed the arguments.
            return getattr(self._engine, name)(context, **request.arguments)

        with (rpc_request.processing(request),
              rpc_errors.as_expected_exception(),
              rpc_errors.hide_internal_errors(request.operation)):
            return gate.ask('process', call, request)

    def _call_own(self, name, function, context, /, **arguments):
        # A user knows the method stack_lock_pass as the action "lock pass".
        request = name.removeprefix('stack_').replace('_', ' ')
        with (rpc_errors.as_expected_exception(),
              rpc_errors.hide_internal_errors(request, is_own=True)):
            return function(self._engine, context, **arguments)

    @staticmethod
    def _complete(method, complete, context, /, **arguments):
        return complete(context, method(context, **arguments))
