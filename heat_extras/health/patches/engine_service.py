# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: who may change whose health."""

from heat_extras.health import admission
from heat_extras.health import marking
from heat_extras.heat_internals import rpc_errors
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.service:EngineService')
class HealthServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap(
        signatures.MARK_UNHEALTHY,
        why='an RPC method of the engine: it writes the state before it '
            'meets a reason that is no string')
    def resource_mark_unhealthy(self, original, cnxt, stack_identity,
                                resource_name, mark_unhealthy,
                                resource_status_reason=None, force=False):
        with rpc_errors.as_expected():
            admission.check_reason(resource_status_reason)
        asked = marking.Request(mark_unhealthy is True, force is True)
        with marking.under_way(asked):
            original(cnxt, stack_identity, resource_name, mark_unhealthy,
                     resource_status_reason=resource_status_reason)
        return asked.answer(resource_name)

    @monkey_patch.wrap('(cnxt, resource_name, stack)',
                       why='in resource_mark_unhealthy, the moment when stack '
                           'and resource are loaded and no lock is taken')
    def _find_resource_in_stack(original, cnxt, resource_name, stack):
        asked = marking.current()
        if asked is None:
            return original(cnxt, resource_name, stack)
        resource = admission.find(original, cnxt, resource_name, stack)
        admission.check(asked, cnxt, resource, stack)
        return resource
