# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.middleware.fault`: HTTP codes of our errors."""

import webob.exc

from heat_extras import patching

_CODES = {
    'StackLocked': webob.exc.HTTPConflict,
    'StackLockConflict': webob.exc.HTTPConflict,
    'StackLockInvalid': webob.exc.HTTPBadRequest,
    'StackLockForbidden': webob.exc.HTTPForbidden,
}


@patching.extends('heat.api.middleware.fault:FaultWrapper')
class StackLockFaultMixin:
    """Extends heat.api.middleware.fault:FaultWrapper."""

    @patching.value(why='the map from error to HTTP code is a class '
                        'attribute; an unknown error is answered with 500')
    def error_map(original):
        return {**original, **_CODES}
