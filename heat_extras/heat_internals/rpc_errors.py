# SPDX-License-Identifier: Apache-2.0

"""Convert errors of RPC methods, in the engine and in the API."""

import contextlib

from heat.common import exception
import oslo_messaging
from oslo_messaging.rpc import dispatcher
from webob import exc


@contextlib.contextmanager
def as_expected_exception():
    """Raise Heat's exceptions as expected exceptions.

    The RPC server does not log them. It does the same as
    heat.common.context.request_context, for an exception that is raised
    outside of that decorator.
    """
    try:
        yield
    except exception.HeatException as error:
        raise dispatcher.ExpectedException() from error


def call_or_409(client, context, feature, method, **arguments):
    """Call an RPC method that a feature adds to the engine.

    :param client: a heat.rpc.client.EngineClient.
    :raises HTTPConflict: if the engine does not have the feature.
    """
    try:
        return client.call(context, client.make_msg(method, **arguments))
    except oslo_messaging.RemoteError as error:
        # oslo_messaging.rpc.dispatcher raises it for an unknown method.
        if error.exc_type != dispatcher.NoSuchMethod.__name__:
            raise
        raise exc.HTTPConflict(
            f'Feature {feature} of heat-extras is not enabled on the '
            'heat-engine that received the request. Nothing was changed. Try '
            'again when it is enabled on all engines.') from error
