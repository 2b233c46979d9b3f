# SPDX-License-Identifier: Apache-2.0

"""The engines of a cloud, as Heat's service table and ours know them.

Plain SQL that imports nothing of Heat, as :mod:`heat_extras.db.lock_admin`.
"""

import datetime
import typing

import sqlalchemy
from sqlalchemy import sql

from heat_extras.db import db_time
from heat_extras.db import models

_engine = models.engine_table
TABLE = _engine.name

#: In the place of an engine's id, a row that says since when engines may have
#: run without the feature update_policy.
WITHOUT_POLICY = 'without update_policy'

_service = sqlalchemy.Table(
    'service', sqlalchemy.MetaData(),
    sqlalchemy.Column('id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('engine_id', sqlalchemy.String(36)),
    sqlalchemy.Column('host', sqlalchemy.String(255)),
    sqlalchemy.Column('binary', sqlalchemy.String(255)),
    sqlalchemy.Column('report_interval', sqlalchemy.Integer),
    sqlalchemy.Column('created_at', sqlalchemy.DateTime),
    sqlalchemy.Column('updated_at', sqlalchemy.DateTime),
    sqlalchemy.Column('deleted_at', sqlalchemy.DateTime))


def live(engine):
    """List the engines that report to Heat, and what they carry.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :returns: rows with ``host``, ``engine_id``, and ``version``,
        ``heat_version`` and ``features`` of the extension, all None where an
        engine runs without it.
    """
    with engine.connect() as connection:
        return read_live(connection)


def read_live(connection):
    """List what :func:`live` does, over a connection or session."""
    query = (
        sql.select(_service.c.host, _service.c.engine_id,
                   _service.c.created_at, _service.c.updated_at,
                   _service.c.report_interval, _engine.c.version,
                   _engine.c.heat_version, _engine.c.features,
                   db_time.now().label('now'))
        .select_from(_service.outerjoin(
            _engine, _engine.c.engine_id == _service.c.engine_id))
        .where(_service.c.deleted_at.is_(None),
               _service.c.binary == 'heat-engine')
        .order_by(_service.c.host, _service.c.engine_id))
    return [row for row in connection.execute(query) if _is_up(row)]


def carrying(engine):
    """List those of :func:`live` that run with a feature of heat-extras.

    They ask for our columns with every stack.
    """
    return [row for row in live(engine) if row.features is not None]


def last_seen(row):
    """Return when an engine of :func:`live` has reported."""
    return row.updated_at or row.created_at


def carries(row, feature):
    """Return whether an engine of :func:`live` runs with a feature."""
    return row.features is not None and (
        'all' in row.features or feature in row.features)


class FreezesInForce(typing.NamedTuple):
    """What an engine has in force.

    :param engine: its row of :func:`live`.
    :param digest: of the file; None: it has none.
    :param refused: what is wrong with what the file says now, if anything.
    """

    engine: typing.Any
    digest: str | None
    refused: str | None


def freezes_in_force(engine, live):
    """List what live engines have in force.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param live: rows of :func:`live`.
    """
    with engine.connect() as connection:
        reported = {row.engine_id: (row.digest, row.refused)
                    for row in connection.execute(
                        sql.select(models.freezes_table))}
    return [FreezesInForce(row, *reported.get(row.engine_id, (None, None)))
            for row in live]


def different_freezes(found):
    """Count the files that engines have in force, none counted as one.

    :param found: rows of :func:`freezes_in_force`.
    """
    return len({each.digest for each in found})


def _is_up(row):
    # As heat.common.service_utils.format_service tells 'up' from 'down'.
    # But by the clock of the database: that of who asks can be minutes off.
    return (row.now - last_seen(row)
            <= datetime.timedelta(seconds=2 * row.report_interval))
