# SPDX-License-Identifier: Apache-2.0

"""The errors of requests to change a resource's health."""

from heat_extras import exception


class HealthInvalid(exception.Invalid):
    """A request to change a resource's health is not valid."""


class TooManyUnhealthy(exception.Conflict):
    """Too many resources of a stack would be marked as unhealthy."""
