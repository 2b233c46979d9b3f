# SPDX-License-Identifier: Apache-2.0

"""The errors of requests with a reviewed plan."""

from heat_extras import exception


class InvalidPlan(exception.Invalid):
    """The ``plan`` of a request is not valid."""


class PlanRequired(exception.Conflict):
    """An update of a stack that can only be updated with a plan has none."""


class PlanNotApplicable(exception.Conflict):
    """An update or a creation would differ from its reviewed plan."""
