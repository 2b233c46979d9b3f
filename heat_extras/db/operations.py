# SPDX-License-Identifier: Apache-2.0

"""What is noted of operations: for lifecycle plugins, and for rollbacks.

Plain SQL that imports nothing of Heat, as :mod:`heat_extras.db.locks`.
"""

import datetime

from oslo_utils import timeutils
import sqlalchemy
from sqlalchemy import sql

from heat_extras.db import models

_stack = sqlalchemy.Table(
    'stack', sqlalchemy.MetaData(),
    sqlalchemy.Column('id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('deleted_at', sqlalchemy.DateTime))


# Engines tell plugins of the operations of stacks that are gone, and delete
# their rows then.
_UNTOLD = datetime.timedelta(days=1)


def purge(engine):
    """Delete the rows of stacks that are gone.

    :returns: how many rows were deleted.
    """
    alive = sql.select(_stack.c.id).where(_stack.c.deleted_at.is_(None))
    started_at = models.operation_table.c.started_at
    with engine.begin() as connection:
        return sum(connection.execute(sql.delete(table).where(
            table.c.stack_id.not_in(alive), *conditions)).rowcount
            for table, conditions in (
                (models.operation_table,
                 [started_at < timeutils.utcnow() - _UNTOLD]),
                (models.placement_table,
                 [models.placement_table.c.stack_id != '']),
                (models.baseline_table, [])))
