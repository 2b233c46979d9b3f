# SPDX-License-Identifier: Apache-2.0

"""Errors of heat-extras that travel from an engine to the API.

A fault is a class that says how it is answered, over HTTP and by the cfn
API. Heat's RPC rebuilds an engine's exception in the API process only when
its class is found in ``heat.common.exception`` (``allowed_remote_exmods`` in
heat.common.messaging): that is where faults say that they live, and where
:func:`records` puts them. The patches in ``heat_extras/patches`` return them.
"""

import contextlib

from heat.common import exception as heat_exception
from oslo_db import exception as db_exception
from oslo_messaging.rpc import dispatcher
import webob.exc

from heat_extras.db import connection_errors
from heat_extras import internal_error
from heat_extras import monkey_patch

HEAT_MODULE = 'heat.common.exception'

#: What the APIs look up by the name of a fault: the class of webob.exc, and
#: the name of the class in heat.api.aws.exception.
http_errors, cfn_errors = {}, {}


class Fault(heat_exception.HeatException):
    """An error with a whole sentence as its ``message``.

    :cvar code: the HTTP status that it is answered with.
    :cvar cfn_error: the error of the cfn API, as it is called in
        heat.api.aws.exception.
    """

    msg_fmt = '%(message)s'
    code = 500
    cfn_error = 'HeatInternalFailureError'

    def __init_subclass__(cls, is_base=False, **kwargs):
        super().__init_subclass__(**kwargs)
        if not is_base:
            cls.__module__ = HEAT_MODULE
            http_errors[cls.__name__] = webob.exc.status_map[cls.code]
            cfn_errors[cls.__name__] = cls.cfn_error


class Invalid(Fault, is_base=True):
    """The base of what no state of the stack would allow (400)."""

    code = 400
    cfn_error = 'HeatInvalidParameterValueError'


class Forbidden(Fault, is_base=True):
    """The base of what takes other rights than the caller's (403)."""

    code = 403
    cfn_error = 'HeatAccessDeniedError'


class Conflict(Fault, is_base=True):
    """The base of what does not fit the state of the stack tree (409)."""

    code = 409
    cfn_error = 'HeatActionInProgressError'


class Unavailable(Fault, is_base=True):
    """The base of what will do once something is back (503)."""

    code = 503
    cfn_error = 'HeatServiceUnavailableError'


class GuardFailed(Fault):
    """Something in our own code went wrong."""


class DatabaseAway(Unavailable):
    """There is no database to talk to, or it gives up what it is told."""


@contextlib.contextmanager
def hide_internal_errors(what, is_own=False):
    """Answer an error of our own code with a sentence, and log the rest.

    Heat's own pass as they are.

    :param what: what was wanted, like "lock".
    :param is_own: whether bare Heat has no such request: then a database that
        is away is told of also where Heat's code met it first.
    :raises GuardFailed: in the place of an error that nobody foresaw.
    :raises DatabaseAway: in the place of one of a database that is away.
    """
    try:
        yield
    except (heat_exception.HeatException, dispatcher.ExpectedException):
        # The latter is one of the former, which the RPC server need not log.
        raise
    except Exception as error:
        if not (internal_error.is_from_heat_extras(error)
                or is_own and _is_database_unavailable(error)):
            raise
        if _is_database_unavailable(error):
            raise DatabaseAway(
                message=internal_error.database_unavailable(error, what)
            ) from None
        # Without its cause, whose text oslo.messaging would send along.
        raise GuardFailed(
            message=internal_error.unexpected(error, what)) from None


def _is_database_unavailable(error):
    # A node of Galera that is about to lose its quorum calls it a deadlock.
    return (isinstance(error, db_exception.DBDeadlock)
            or connection_errors.is_unavailable(error))


def records(module):
    """Make the records that put a module's faults where RPC finds them.

    :returns: a list of :class:`monkey_patch.Patch`, in the order of
        definition.
    """
    return [
        monkey_patch.Patch(
            f'{HEAT_MODULE}:{name}', monkey_patch.ADD, found,
            why='oslo.messaging rebuilds remote exceptions only from '
                'modules that Heat allows, and Heat allows this one alone')
        for name, found in vars(module).items() if name in http_errors]
