# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: check requests to mark resources."""

from heat_extras.health import service
from heat_extras.heat_internals import rpc_errors
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.service:EngineService')
class HealthServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap(
        signatures.MARK_UNHEALTHY,
        why='this is an RPC method of the engine. It writes the state before '
            'it fails for a reason that is not a string')
    def resource_mark_unhealthy(self, original, cnxt, stack_identity,
                                resource_name, mark_unhealthy,
                                resource_status_reason=None, force=False):
        with rpc_errors.as_expected_exception():
            service.check_reason(resource_status_reason)
        request = service.CurrentRequest(mark_unhealthy is True, force is True)
        with service.set_request(request):
            original(cnxt, stack_identity, resource_name, mark_unhealthy,
                     resource_status_reason=resource_status_reason)
        return request.to_body(resource_name)

    @monkey_patch.wrap('(cnxt, resource_name, stack)',
                       why='resource_mark_unhealthy calls it when the stack '
                           'is loaded and no lock is acquired')
    def _find_resource_in_stack(original, cnxt, resource_name, stack):
        request = service.get_request()
        if request is None:
            return original(cnxt, resource_name, stack)
        resource = service.find_resource(original, cnxt, resource_name, stack)
        service.check_request(request, cnxt, resource, stack)
        return resource
