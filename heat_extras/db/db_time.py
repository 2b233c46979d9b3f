# SPDX-License-Identifier: Apache-2.0

"""The clock of the database: the one that all engines have in common.

UTC without a zone, as Heat keeps times, in whole seconds that have begun: what
this says has come has come.
"""

import sqlalchemy
from sqlalchemy.ext import compiler
from sqlalchemy.sql import functions


class now(functions.FunctionElement):
    """What it says while a statement runs; for use in one."""

    type = sqlalchemy.DateTime()
    inherit_cache = True


@compiler.compiles(now)
def _of_sqlite(element, compiler, **keywords):
    # As SQLAlchemy writes times there, which are compared as texts.
    return "strftime('%Y-%m-%d %H:%M:%S.000000', 'now')"


@compiler.compiles(now, 'mysql', 'mariadb')
def _of_mysql(element, compiler, **keywords):
    return 'UTC_TIMESTAMP()'


@compiler.compiles(now, 'postgresql')
def _of_postgresql(element, compiler, **keywords):
    # Not now(), which stands still in a transaction. In a subquery, since no
    # index is used for what may be another value for each row.
    return ("(SELECT date_trunc('second', "
            "clock_timestamp() AT TIME ZONE 'UTC'))")


def read(connection):
    """Ask the database for the time.

    :param connection: or a session.
    """
    return connection.scalar(sqlalchemy.select(now()))
