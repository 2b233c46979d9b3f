# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.exception`: the errors of health on the wire.

Why they say that they live there: :mod:`heat_extras.remote_errors`. Their
HTTP codes are in :mod:`heat_extras.health.patches.api_fault`.
"""

from heat.common import exception as heat_exception

from heat_extras import remote_errors


class HealthInvalid(heat_exception.HeatException):
    """A request to change a resource's health cannot be meant (400)."""

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


class TooManyUnhealthy(heat_exception.HeatException):
    """Too much of a stack would be marked as unhealthy (409)."""

    __module__ = remote_errors.HEAT_MODULE
    msg_fmt = '%(message)s'


def records():
    """Make the records that add the classes to heat.common.exception."""
    return remote_errors.records(HealthInvalid, TooManyUnhealthy)
