# SPDX-License-Identifier: Apache-2.0

"""Look whether Heat's database has what heat-extras needs.

Apart from :mod:`heat_extras.db.migration`, for each engine looks when it
starts, and importing alembic would take longer than everything else there.
"""

import sqlalchemy

from heat_extras.db import models

# Heat's own table that columns of ours are in.
STACK = 'stack'


def missing(engine):
    """List the columns and tables of ours that the database lacks.

    This looks at the tables themselves: a version table can be right in a
    database that was restored or edited by hand.

    :returns: names like ``stack.lock_level`` and ``heat_extras_engine``.
    """
    return [name for name, is_there in _look(engine) if not is_there]


def found(engine):
    """List the columns and tables of ours that the database has."""
    return [name for name, is_there in _look(engine) if is_there]


def is_heats(engine):
    """Return whether Heat has been in the database."""
    return sqlalchemy.inspect(engine).has_table(STACK)


def has_column(session, table, name):
    """Return whether a table of Heat's has a column by now.

    A model knows the columns of its own release. During a rolling upgrade
    migrations of a newer Heat add others, and remove none. So a connection
    remembers such a column once it is found.

    :param table: a :class:`sqlalchemy.Table`, of Heat's model.
    """
    if name in table.c:
        return True
    connection = session.connection()
    key = f'heat_extras.{table.name}.{name}'
    if key not in connection.info:
        found = sqlalchemy.inspect(connection).get_columns(table.name)
        if name not in {each['name'] for each in found}:
            return False
        connection.info[key] = True
    return True


def _look(engine):
    inspector = sqlalchemy.inspect(engine)
    columns = set()
    if inspector.has_table(STACK):
        columns = {column['name']
                   for column in inspector.get_columns(STACK)}
    looked = [('stack.%s' % column.name, column.name in columns)
              for column in models.stack_columns()]
    return looked + [(name, inspector.has_table(name))
                     for name in models.metadata.tables]
