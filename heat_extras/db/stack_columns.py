# SPDX-License-Identifier: Apache-2.0

"""Add the columns of heat-extras to Heat's mapped classes.

They are loaded with the row that Heat loads anyway, so that no additional
query is needed.
"""

from heat.db import models as heat_models
from sqlalchemy import orm

from heat_extras.db import models

# The columns, on an object that Heat has made from a row.
_ATTRIBUTE = 'heat_extras_columns'


def map_stack_columns():
    """Add the columns to heat.db.models.Stack, unless they are there.

    Call it before the first query: statements that SQLAlchemy has already
    compiled would not have the columns. It cannot be undone in a process,
    because SQLAlchemy cannot unmap a column.
    """
    for column in models.stack_columns():
        if column.name not in heat_models.Stack.__table__.columns:
            setattr(heat_models.Stack, column.name, column
                    if column.name in models.Columns._fields
                    else orm.deferred(column))


def get_columns(stack):
    """Return the columns of heat-extras of a stack.

    :param stack: a heat.objects.stack.Stack or a row of
        heat.db.models.Stack.
    :returns: a :class:`models.Columns`.
    """
    copied = getattr(stack, _ATTRIBUTE, None)
    return _read_columns(stack) if copied is None else copied


def _read_columns(row):
    # A row that has just been written has only the columns with values.
    return models.Columns(*map(vars(row).get, models.Columns._fields))


def copy_columns(stack, db_stack):
    """Copy the columns of heat-extras from a row to an object of Heat.

    :param stack: the heat.objects.stack.Stack that Heat makes of the row.
    :param db_stack: the row of heat.db.models.Stack.
    """
    setattr(stack, _ATTRIBUTE, _read_columns(db_stack))
