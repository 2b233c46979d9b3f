# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.exception`: the errors of heat-extras."""

from heat_extras import exception
from heat_extras import monkey_patch

EXTENDS = 'heat.common.exception'


@monkey_patch.add(why='oslo.messaging rebuilds remote exceptions only from '
                      'modules that Heat allows, and Heat allows only this '
                      'one')
def __getattr__(name):
    return exception.find_class(name)
