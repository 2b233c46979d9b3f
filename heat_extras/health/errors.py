# SPDX-License-Identifier: Apache-2.0

"""What a change of a resource's health is answered with when refused."""

from heat_extras import faults


class HealthInvalid(faults.Invalid):
    """A request to change a resource's health makes no sense."""


class TooManyUnhealthy(faults.Conflict):
    """Too much of a stack would be marked as unhealthy."""
