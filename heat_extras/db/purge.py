# SPDX-License-Identifier: Apache-2.0

"""Delete rows of heat-extras about deleted stacks.

It is plain SQL and does not import Heat, like
:mod:`heat_extras.db.operator_locks`. Stacks that Heat has only marked as
deleted count as deleted.
"""

import datetime

from oslo_utils import importutils
from oslo_utils import timeutils
from sqlalchemy import sql

from heat_extras.db import batches
from heat_extras.db import heat_tables
from heat_extras.db import models

_stack = heat_tables.stack

# Engines make the post calls of operations of deleted stacks, and then delete
# their rows.
_OPERATIONS_KEPT = datetime.timedelta(days=1)


def list_deleted_stack_ids(engine, table, *conditions):
    """List the deleted stacks that have rows in a table.

    :param conditions: conditions on the rows.
    :returns: the IDs of the stacks.
    """
    # Not "NOT IN": PostgreSQL would compare each row with all stacks if they
    # do not fit into its memory for one query.
    alive = sql.exists().where(_stack.c.id == table.c.stack_id,
                               _stack.c.deleted_at.is_(None))
    with engine.connect() as connection:
        return connection.scalars(
            sql.select(table.c.stack_id).distinct()
            .where(sql.not_(alive), *conditions)).all()


def delete_rows(engine, table, *conditions):
    """Delete the rows of a table whose stack is deleted.

    :returns: the number of rows that were deleted.
    """
    return batches.write_in_batches(
        engine, list_deleted_stack_ids(engine, table, *conditions),
        lambda batch: sql.delete(table).where(
            table.c.stack_id.in_(batch), *conditions))


def delete_operations(engine):
    """Delete the rows of lifecycle operations on deleted stacks.

    :returns: the number of rows that were deleted.
    """
    operation = models.operation_table
    return delete_rows(engine, operation, operation.c.started_at
                       < timeutils.utcnow() - _OPERATIONS_KEPT)


def purge_tables(engine, features):
    """Delete the rows of features whose stack is deleted.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param features: the :class:`heat_extras.features.Feature` records.
    :returns: the number of rows that were deleted.
    """
    tables = dict.fromkeys(table for each in features for table in each.keeps)
    return (sum(delete_rows(engine, table) for table in tables)
            + sum(importutils.import_class(each.purge)(engine)
                  for each in features if each.purge))
