# SPDX-License-Identifier: Apache-2.0

"""The live engines of a cloud, from the tables of Heat and heat-extras.

It is plain SQL and does not import Heat, like
:mod:`heat_extras.db.operator_locks`.
"""

import datetime
import typing

import sqlalchemy
from sqlalchemy import sql

from heat_extras.db import db_time
from heat_extras.db import models

_engine = models.engine_table
TABLE = _engine.name

#: From the name of a feature to the engine ID of a row that records since when
#: engines may have run without the feature.
MARKS = {feature: f'without {feature}'
         for feature in ('parameters', 'update_policy')}

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

# Engines with heat-extras also record their report by the clock of the
# database, because the clock of their host can be wrong.
_last_report = sql.func.coalesce(_engine.c.updated_at, _service.c.updated_at)


def list_live(engine):
    """List the engines that report to Heat, with their features.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :returns: rows with ``host``, ``engine_id``, ``version``, ``heat_version``
        and ``features``. The last three are None for an engine without
        heat-extras.
    """
    with engine.connect() as connection:
        return read_live(connection)


def read_live(connection):
    """Return the rows of :func:`list_live` with a connection or session."""
    query = (
        sql.select(_service.c.host, _service.c.engine_id,
                   _service.c.created_at, _last_report.label('updated_at'),
                   _service.c.report_interval, _engine.c.version,
                   _engine.c.heat_version, _engine.c.features,
                   db_time.now().label('now'))
        .select_from(_service.outerjoin(
            _engine, _engine.c.engine_id == _service.c.engine_id))
        .where(_service.c.deleted_at.is_(None),
               _service.c.binary == 'heat-engine')
        .order_by(_service.c.host, _service.c.engine_id))
    return [row for row in connection.execute(query) if _is_up(row)]


def list_with_heat_extras(engine):
    """List the live engines that run with heat-extras.

    They query the columns of heat-extras with every stack.
    """
    return [row for row in list_live(engine) if row.features is not None]


def last_seen(row):
    """Return the time of the last report of an engine of :func:`list_live`."""
    return row.updated_at or row.created_at


def age(row):
    """Return the seconds since the last report of an engine."""
    return max((row.now - last_seen(row)).total_seconds(), 0)


def seconds_left(row):
    """Return the seconds until a silent engine is considered down."""
    return 2 * row.report_interval - age(row) + 1


def has_feature(row, feature):
    """Return whether an engine of :func:`list_live` runs with a feature."""
    return row.features is not None and (
        'all' in row.features or feature in row.features)


class EngineFreezes(typing.NamedTuple):
    """The freezes of an engine.

    :param engine: its row of :func:`list_live`.
    :param digest: the digest of its freezes file, or None without a file.
    :param refused: the error in the current content of the file, or None.
    """

    engine: typing.Any
    digest: str | None
    refused: str | None


def list_freezes(engine, live):
    """List the freezes of live engines.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param live: rows of :func:`list_live`.
    :returns: a list of :class:`EngineFreezes`.
    """
    with engine.connect() as connection:
        reported = {row.engine_id: (row.digest, row.refused)
                    for row in connection.execute(
                        sql.select(models.freezes_table))}
    return [EngineFreezes(row, *reported.get(row.engine_id, (None, None)))
            for row in live]


def count_distinct_freezes(freezes):
    """Count the different freezes files. No file counts as one, too.

    :param freezes: rows of :func:`list_freezes`.
    """
    return len({each.digest for each in freezes})


def _is_up(row):
    # The rule of heat.common.service_utils.format_service for 'up', but with
    # the clock of the database, because the clock of this host can be wrong.
    return (row.now - last_seen(row)
            <= datetime.timedelta(seconds=2 * row.report_interval))
