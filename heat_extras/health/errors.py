# SPDX-License-Identifier: Apache-2.0

"""What a change of a resource's health is answered with when refused."""

from heat_extras import exception


class HealthInvalid(exception.Invalid):
    """A request to change a resource's health makes no sense."""


class TooManyUnhealthy(exception.Conflict):
    """Too much of a stack would be marked as unhealthy."""
