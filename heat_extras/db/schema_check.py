# SPDX-License-Identifier: Apache-2.0

"""Check that Heat's database has the columns and tables of heat-extras.

Each engine checks it when it starts. So this module is separate from
:mod:`heat_extras.db.migration`, which imports alembic and takes long to load.
"""

import sqlalchemy

from heat_extras.db import models

# Heat's table with columns of heat-extras.
STACK = 'stack'


def list_missing(engine):
    """List the columns and tables of heat-extras that are missing.

    It inspects the tables themselves, because the revision can be wrong in a
    database that was restored or edited by hand.

    :returns: names like ``stack.lock_level`` and ``heat_extras_engine``.
    """
    return [name for name, exists in _inspect(engine) if not exists]


def list_existing(engine):
    """List the columns and tables of heat-extras in the database."""
    return [name for name, exists in _inspect(engine) if exists]


def has_heat_tables(engine):
    """Return whether the database has Heat's tables."""
    return sqlalchemy.inspect(engine).has_table(STACK)


def _inspect(engine):
    inspector = sqlalchemy.inspect(engine)
    columns = set()
    if inspector.has_table(STACK):
        columns = {column['name'] for column in inspector.get_columns(STACK)}
    inspected = [('stack.%s' % column.name, column.name in columns)
                 for column in models.stack_columns()]
    return inspected + [(name, inspector.has_table(name))
                        for name in models.metadata.tables]
