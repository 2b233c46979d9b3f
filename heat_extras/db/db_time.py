# SPDX-License-Identifier: Apache-2.0

"""The clock of the database, which all engines have in common.

Times are in UTC without a zone, as in Heat's tables, rounded down to whole
seconds.
"""

import sqlalchemy
from sqlalchemy.ext import compiler
from sqlalchemy.sql import functions


class now(functions.FunctionElement):
    """The time at which a statement runs, for use in the statement."""

    type = sqlalchemy.DateTime()
    inherit_cache = True


@compiler.compiles(now)
def _compile_for_sqlite(element, compiler, **keywords):
    # The format in which SQLAlchemy writes times, which are compared as texts.
    return "strftime('%Y-%m-%d %H:%M:%S.000000', 'now')"


@compiler.compiles(now, 'mysql', 'mariadb')
def _compile_for_mysql(element, compiler, **keywords):
    return 'UTC_TIMESTAMP()'


@compiler.compiles(now, 'postgresql')
def _compile_for_postgresql(element, compiler, **keywords):
    # Not now(), which is the start of the transaction. In a subquery, because
    # otherwise PostgreSQL uses no index for a value that can change.
    return ("(SELECT date_trunc('second', "
            "clock_timestamp() AT TIME ZONE 'UTC'))")


def read_time(connection):
    """Return the time of the database.

    :param connection: a connection or session.
    """
    return connection.scalar(sqlalchemy.select(now()))
