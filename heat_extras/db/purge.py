# SPDX-License-Identifier: Apache-2.0

"""Rows of ours about deleted stacks, and their deletion.

Plain SQL that imports nothing of Heat, as :mod:`heat_extras.db.lock_admin`. A
stack that Heat keeps as deleted is gone, too: nobody works on it any more.
"""

import datetime

from oslo_utils import importutils
from oslo_utils import timeutils
from sqlalchemy import sql

from heat_extras.db import batches
from heat_extras.db import heat_tables
from heat_extras.db import models

_stack = heat_tables.stack

# Engines tell plugins of the operations of deleted stacks, and delete their
# rows then.
_OPERATIONS_KEPT = datetime.timedelta(days=1)


def ids(engine, table, *conditions):
    """List the stacks that are gone and have rows in a table.

    :param conditions: which rows count.
    """
    # Not "NOT IN": PostgreSQL would compare each row with all stacks once
    # there are more than its memory for one query takes.
    alive = sql.exists().where(_stack.c.id == table.c.stack_id,
                               _stack.c.deleted_at.is_(None))
    with engine.connect() as connection:
        return connection.scalars(
            sql.select(table.c.stack_id).distinct()
            .where(sql.not_(alive), *conditions)).all()


def delete(engine, table, *conditions):
    """Delete the rows of a table whose stack is gone.

    :returns: how many rows were deleted.
    """
    return batches.write(
        engine, ids(engine, table, *conditions),
        lambda some: sql.delete(table).where(
            table.c.stack_id.in_(some), *conditions))


def delete_operations(engine):
    """Delete the rows of lifecycle's operations on stacks that are gone.

    :returns: how many rows were deleted.
    """
    operation = models.operation_table
    return delete(engine, operation, operation.c.started_at
                  < timeutils.utcnow() - _OPERATIONS_KEPT)


def purge(engine, features):
    """Delete the rows of our tables whose stack is gone.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param features: those whose rows are meant, as
        :class:`heat_extras.features.Feature`.
    :returns: how many rows were deleted.
    """
    tables = dict.fromkeys(table for each in features for table in each.keeps)
    return (sum(delete(engine, table) for table in tables)
            + sum(importutils.import_class(each.purge)(engine)
                  for each in features if each.purge))
