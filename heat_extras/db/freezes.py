# SPDX-License-Identifier: Apache-2.0

"""Which windows each engine has in force, as it reports it.

Plain SQL that imports nothing of Heat, as :mod:`heat_extras.db.locks`.
"""

import typing

from sqlalchemy import sql

from heat_extras.db import models

_freezes = models.freezes_table


class InForce(typing.NamedTuple):
    """What an engine has in force.

    :param engine: its row of :func:`heat_extras.db.engines.live`.
    :param digest: of the file; None: it has none.
    :param refused: what is wrong with what the file says now, if anything.
    """

    engine: typing.Any
    digest: str | None
    refused: str | None


def of_engines(engine, live):
    """List what live engines have in force.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param live: rows of :func:`heat_extras.db.engines.live`.
    """
    with engine.connect() as connection:
        told = {row.engine_id: row
                for row in connection.execute(sql.select(_freezes))}
    found = [(row, told.get(row.engine_id)) for row in live]
    return [InForce(row, getattr(each, 'digest', None),
                    getattr(each, 'refused', None)) for row, each in found]


def different(found):
    """Count the files that engines have in force, none counted as one.

    :param found: rows of :func:`of_engines`.
    """
    return len({each.digest for each in found})
