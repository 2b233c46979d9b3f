# SPDX-License-Identifier: Apache-2.0

"""The errors of updates with a reviewed plan."""

from heat_extras import exception


class InvalidPlan(exception.Invalid):
    """The ``plan`` of a request is not valid."""


class PlanNotApplicable(exception.Conflict):
    """An update would differ from its reviewed plan."""
