# SPDX-License-Identifier: Apache-2.0

"""The database of a sandbox: Heat's tables and ours."""

from heat.db import api as db_api
from heat.db import migration as heat_migration
import sqlalchemy

from heat_extras.db import migration
from heat_extras.sandbox import sqlite


def synchronize(url, with_extras):
    """Bring the tables up to date, like an operator's two db_sync commands.

    This takes an engine of its own: ``heat.db.migration._upgrade_alembic``
    inspects the database on a second connection while the first one has a
    transaction, which would wait for itself if each took the write lock.

    :param url: of the database
    :param with_extras: False leaves Heat's tables as Heat made them
    """
    engine = sqlalchemy.create_engine(url, poolclass=sqlalchemy.NullPool)
    with sqlite.fresh_ids():
        heat_migration.db_sync(engine=engine)
    if with_extras:
        migration.upgrade(engine)


def prepare():
    """Let Heat open its database the way that SQLite needs it.

    To be called before Heat has asked for its engine.
    """
    sqlite.install(db_api.context_manager)
