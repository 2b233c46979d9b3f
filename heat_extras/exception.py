# SPDX-License-Identifier: Apache-2.0

"""Errors of heat-extras that an engine sends to the API.

A fault class has its status of HTTP and its error of the cfn API. Heat's RPC
rebuilds an engine's exception in the API process only if its class is in
``heat.common.exception`` (``allowed_remote_exmods`` in heat.common.messaging).
So that is the ``__module__`` of faults. The patches in ``heat_extras/patches``
let that module find them, and return them.
"""

from heat.common import exception as heat_exception
import webob.exc

HEAT_MODULE = 'heat.common.exception'

#: By the name of a fault: its class, and the class of webob.exc. The APIs look
#: them up here.
classes, http_errors = {}, {}


class Fault(heat_exception.HeatException):
    """An error with a whole sentence as its ``message``.

    :cvar code: the HTTP status of the response.
    :cvar cfn_error: the error of the cfn API, by its name in
        heat.api.aws.exception.
    """

    msg_fmt = '%(message)s'
    code = 500
    cfn_error = 'HeatInternalFailureError'

    def __init_subclass__(cls, is_base=False, **kwargs):
        super().__init_subclass__(**kwargs)
        if not is_base:
            cls.__module__ = HEAT_MODULE
            classes[cls.__name__] = cls
            http_errors[cls.__name__] = webob.exc.status_map[cls.code]


class Invalid(Fault, is_base=True):
    """Base of errors for requests that no state of a stack allows (400)."""

    code = 400
    cfn_error = 'HeatInvalidParameterValueError'


class Forbidden(Fault, is_base=True):
    """Base of errors for requests that need more rights (403)."""

    code = 403
    cfn_error = 'HeatAccessDeniedError'


class Conflict(Fault, is_base=True):
    """Base of errors for requests that the tree's state forbids (409)."""

    code = 409
    cfn_error = 'HeatActionInProgressError'


class Unavailable(Fault, is_base=True):
    """Base of errors for requests that need an unavailable service (503)."""

    code = 503
    cfn_error = 'HeatServiceUnavailableError'


class GuardFailed(Fault):
    """An unexpected error in the code of heat-extras."""


class DatabaseAway(Unavailable):
    """The database is unavailable, or aborts every transaction."""


class LifecycleConflict(Conflict):
    """A lifecycle plugin denies a request before it starts."""


def find_class(name):
    """Return the class of a fault, for heat.common.exception.

    :raises AttributeError: if there is no fault of this name.
    """
    if name not in classes:
        raise AttributeError(
            f'module {HEAT_MODULE!r} has no attribute {name!r}')
    return classes[name]
