# SPDX-License-Identifier: Apache-2.0

"""What a request for guards is answered with when it is refused."""

from heat_extras import exception


class GuardsInvalid(exception.Invalid):
    """A request for guards makes no sense."""
