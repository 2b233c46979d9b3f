# SPDX-License-Identifier: Apache-2.0

"""Convert errors of requests, in the engine and in the API."""

import contextlib

from heat.common import exception as heat_exception
from oslo_db import exception as db_exception
import oslo_messaging
from oslo_messaging.rpc import dispatcher
from webob import exc

from heat_extras.db import connection_errors
from heat_extras import exception
from heat_extras import internal_error


@contextlib.contextmanager
def as_expected_exception():
    """Raise Heat's exceptions as expected exceptions.

    The RPC server does not log them. It does the same as
    heat.common.context.request_context, for an exception that is raised
    outside of that decorator.
    """
    try:
        yield
    except heat_exception.HeatException as error:
        raise dispatcher.ExpectedException() from error


def cause_of(error):
    """Return the exception that an expected exception wraps, or *error*."""
    return (error.exc_info[1]
            if isinstance(error, dispatcher.ExpectedException) else error)


@contextlib.contextmanager
def hide_internal_errors(request, is_own=False):
    """Replace errors of heat-extras' own code by a sentence, and log them.

    Errors of Heat are raised unchanged.

    :param request: the name of the request, like "lock".
    :param is_own: whether Heat without heat-extras has no such request. If
        so, report an unavailable database also if Heat's code noticed it.
    :raises GuardFailed: in place of an unexpected error.
    :raises DatabaseAway: in place of an error of an unavailable database.
    """
    try:
        yield
    except (heat_exception.HeatException, dispatcher.ExpectedException):
        # An ExpectedException wraps a HeatException that the RPC server does
        # not log.
        raise
    except Exception as error:
        if not (internal_error.is_from_heat_extras(error)
                or is_own and _is_database_unavailable(error)):
            raise
        if _is_database_unavailable(error):
            raise exception.DatabaseAway(
                message=internal_error.log_database_unavailable(error, request)
            ) from None
        # Without its cause: oslo.messaging would also send the cause's text.
        raise exception.GuardFailed(
            message=internal_error.log_unexpected(error, request)) from None


def _is_database_unavailable(error):
    # A node of Galera that is about to lose its quorum reports a deadlock.
    return (isinstance(error, db_exception.DBDeadlock)
            or connection_errors.is_unavailable(error))


@contextlib.contextmanager
def value_errors_as_400():
    """Raise a ValueError again as an HTTP error 400 with the same text."""
    try:
        yield
    except ValueError as error:
        raise exc.HTTPBadRequest(str(error)) from error


def call(client, context, method, **arguments):
    """Call an RPC method that a feature adds to the engine.

    :param client: a heat.rpc.client.EngineClient.
    :raises NoSuchMethod: if the engine does not have the method.
    """
    try:
        return client.call(context, client.make_msg(method, **arguments))
    except oslo_messaging.RemoteError as error:
        if error.exc_type != dispatcher.NoSuchMethod.__name__:
            raise
        raise dispatcher.NoSuchMethod(method) from error


def call_or_409(client, context, feature, method, **arguments):
    """Call an RPC method that a feature adds to the engine.

    :param client: a heat.rpc.client.EngineClient.
    :raises HTTPConflict: if the engine does not have the feature.
    """
    try:
        return call(client, context, method, **arguments)
    except dispatcher.NoSuchMethod as error:
        raise exc.HTTPConflict(
            f'Feature "{feature}" of heat-extras is not enabled on the '
            'heat-engine that received the request. Nothing was changed. Try '
            'again when the operator of this Heat has enabled the feature on '
            'all engines.') from error
