# SPDX-License-Identifier: Apache-2.0

"""Errors of ours that travel from an engine to whoever called an API.

A fault is a class that says how it is answered, over HTTP and by the cfn
API. Heat's RPC rebuilds an engine's exception in the API process only when
its class is found in ``heat.common.exception`` (``allowed_remote_exmods`` in
heat.common.messaging): that is where faults say that they live, and where
:func:`records` puts them. The doors in ``heat_extras/patches`` answer them.
"""

from heat.common import exception as heat_exception
import webob.exc

from heat_extras import patching

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

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.__module__ != __name__:
            cls.__module__ = HEAT_MODULE
            http_errors[cls.__name__] = webob.exc.status_map[cls.code]
            cfn_errors[cls.__name__] = cls.cfn_error


class Invalid(Fault):
    """The base of what no state of the stack would allow (400)."""

    code = 400
    cfn_error = 'HeatInvalidParameterValueError'


class Forbidden(Fault):
    """The base of what takes other rights than the caller's (403)."""

    code = 403
    cfn_error = 'HeatAccessDeniedError'


class Conflict(Fault):
    """The base of what does not fit the state of the stack tree (409)."""

    code = 409
    cfn_error = 'HeatActionInProgressError'


class Unavailable(Fault):
    """The base of what will do once something is back (503)."""

    code = 503
    cfn_error = 'HeatServiceUnavailableError'


def records(module):
    """Make the records that put a module's faults where RPC finds them.

    :returns: a list of :class:`patching.Patch`, in the order of definition.
    """
    return [
        patching.Patch(
            f'{HEAT_MODULE}:{name}', patching.ADD, found,
            why='oslo.messaging rebuilds remote exceptions only from '
                'modules that Heat allows, and Heat allows this one alone')
        for name, found in vars(module).items() if name in http_errors]
