# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.middleware.fault`: the HTTP code of our error."""

import webob.exc

from heat_extras import patching


@patching.extends('heat.api.middleware.fault:FaultWrapper')
class GuardsFaultMixin:
    """Extends heat.api.middleware.fault:FaultWrapper."""

    @patching.value(why='the map from error to HTTP code is a class '
                        'attribute; an unknown error is answered with 500')
    def error_map(original):
        return {**original, 'GuardsInvalid': webob.exc.HTTPBadRequest}
