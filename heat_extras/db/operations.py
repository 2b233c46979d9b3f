# SPDX-License-Identifier: Apache-2.0

"""What lifecycle and its plugins note of operations.

Plain SQL that imports nothing of Heat, as :mod:`heat_extras.db.locks`.
"""

import datetime

from oslo_utils import timeutils

from heat_extras.db import gone
from heat_extras.db import models

# Engines tell plugins of the operations of stacks that are gone, and delete
# their rows then.
_UNTOLD = datetime.timedelta(days=1)


def purge(engine):
    """Delete the rows of stacks that are gone.

    :returns: how many rows were deleted.
    """
    operation = models.operation_table
    late = timeutils.utcnow() - _UNTOLD
    return gone.delete(engine, operation, operation.c.started_at < late)
