# SPDX-License-Identifier: Apache-2.0

"""Errors of a request for guards."""

from heat_extras import exception


class GuardsInvalid(exception.Invalid):
    """An argument of a request for guards is not valid."""
