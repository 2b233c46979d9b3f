# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.middleware.fault`: the HTTP codes of faults."""

import collections

from heat_extras import exception
from heat_extras import monkey_patch


@monkey_patch.extends('heat.api.middleware.fault:FaultWrapper')
class FaultWrapperMixin:

    @monkey_patch.value(why='the map from error to HTTP code is a class '
                            'attribute, and any other error becomes a 500')
    def error_map(original):
        return collections.ChainMap(exception.http_errors, original)
