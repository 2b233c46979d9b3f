# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.exception`: the error of guards on the wire.

Why it says that it lives there: :mod:`heat_extras.remote_errors`.
"""

from heat.common import exception as heat_exception

from heat_extras import remote_errors


class GuardsInvalid(heat_exception.HeatException):
    """A request for guards cannot be meant (400)."""

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


def records():
    """Make the records that add the class to heat.common.exception."""
    return remote_errors.records(GuardsInvalid)
