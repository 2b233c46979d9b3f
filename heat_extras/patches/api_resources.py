# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1.resources`: check the request."""

from heat.api.openstack.v1 import util

from heat_extras.health import request
from heat_extras.heat_internals import api_controllers
from heat_extras import monkey_patch


# The function's name is also the name of the policy rule.
@util.registered_identified_stack
def mark_unhealthy(controller, req, identity, resource_name, body=None):
    """Mark a resource as healthy or unhealthy.

    ``{"mark_unhealthy": true, "resource_status_reason": "..."}``, and
    ``?force=true`` above the limit of unhealthy resources.
    """
    with api_controllers.value_errors_as_400():
        fields = request.parse_body(body)
        is_forced = request.parse_force(req.params.getall(request.FORCE))
    return request.send(controller.rpc_client, req.context, is_forced,
                        stack_identity=identity, resource_name=resource_name,
                        **fields)


@monkey_patch.extends('heat.api.openstack.v1.resources:ResourceController',
                      feature='health')
class ResourcesMixin:

    @monkey_patch.wrap('(self, req, identity, resource_name, body)',
                       why='it fails for a body that is not an object, '
                           'accepts strings as booleans, and does not return '
                           'the answer of the engine')
    def mark_unhealthy(self, original, req, *args, **kwargs):
        return mark_unhealthy(self, req, *args, **kwargs)
