# SPDX-License-Identifier: Apache-2.0

"""Hand a request to change a resource's health on to the engine."""

from heat_extras.health import request

_METHOD = 'resource_mark_unhealthy'
# Of Heat's RPC API, which knows the method since then.
_VERSION = '1.26'


def send(client, context, asked, **resource):
    """Call the engine.

    :param client: a heat.rpc.client.EngineClient.
    :param asked: a :class:`request.Asked`.
    :param resource: the fields that name the resource.
    :returns: what the engine answers.
    """
    fields = {**resource, request.MARK: asked.mark,
              request.REASON: asked.reason}
    if not asked.is_forced:
        return client.resource_mark_unhealthy(context, **fields)
    # An engine without the feature takes all requests but this one.
    return client.call(context, client.make_msg(
        _METHOD, **fields, force=True), version=_VERSION)
