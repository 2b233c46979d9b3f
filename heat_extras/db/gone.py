# SPDX-License-Identifier: Apache-2.0

"""What is noted about stacks that are gone.

Plain SQL that imports nothing of Heat, as :mod:`heat_extras.db.locks`. A
stack that Heat keeps as deleted is gone, too: nobody works on it any more.
"""

from oslo_utils import importutils
import sqlalchemy
from sqlalchemy import sql

_stack = sqlalchemy.Table(
    'stack', sqlalchemy.MetaData(),
    sqlalchemy.Column('id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('deleted_at', sqlalchemy.DateTime))


def is_gone(table):
    """Make the condition that the stack of a row is gone."""
    alive = sql.select(_stack.c.id).where(_stack.c.deleted_at.is_(None))
    return table.c.stack_id.not_in(alive)


def purge(engine, features):
    """Delete the rows of our tables whose stack is gone.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param features: those whose rows are meant, as
        :class:`heat_extras.feature.Feature`.
    :returns: how many rows were deleted.
    """
    tables = dict.fromkeys(table for each in features for table in each.keeps)
    with engine.begin() as connection:
        deleted = sum(connection.execute(
            sql.delete(table).where(is_gone(table))).rowcount
            for table in tables)
    return deleted + sum(importutils.import_class(each.purge)(engine)
                         for each in features if each.purge)
