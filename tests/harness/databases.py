# SPDX-License-Identifier: Apache-2.0

"""The databases that Heat supports, each as a fixture."""

import os
import tempfile

import fixtures
from heat.db import api as db_api
from heat.db import migration as heat_migration
from heat.db import models
from oslo_db.sqlalchemy import enginefacade
import sqlalchemy

from heat_extras.db import migration
from heat_extras.db import models as our_models
from heat_extras.sandbox import sqlite
from tests.harness.services import galera
from tests.harness.services import mariadb
from tests.harness.services import postgresql
from tests.harness.services import shared

_SERVERS = {
    'mariadb_repeatable_read': (mariadb.MariaDB, mariadb.REPEATABLE_READ),
    'mariadb_read_committed': (mariadb.MariaDB, mariadb.READ_COMMITTED),
    'postgresql': (postgresql.PostgreSQL,),
}
MARIADBS = [(name, {'kind': name}) for name in _SERVERS if 'maria' in name]
SERVERS = [(name, {'kind': name}) for name in _SERVERS]
ALL = [('sqlite', {'kind': 'sqlite'}), *SERVERS]
# For one connection at a time, where the isolation level has no effect.
ONE_ISOLATION = [scenario for scenario in ALL
                 if scenario[0] != 'mariadb_read_committed']

# Two servers with write access.
GALERA = [('galera', {'kind': 'galera'})]
_SERVERS['galera'] = (galera.Galera,)

# For texts only: tables with three bytes for a character.
THREE_BYTES = ('mariadb_three_bytes', {'kind': 'mariadb_three_bytes'})
_SERVERS[THREE_BYTES[0]] = _SERVERS['mariadb_repeatable_read']
_OPTIONS = {THREE_BYTES[0]: {'charset': 'utf8mb3'}}

# Tables of Heat and heat-extras, created once for each process and kind.
_prepared = {}


class New(fixtures.Fixture):
    """A new, empty database.

    :param kind: a name of a scenario of :data:`ALL`.
    :ivar url: of the database.
    :ivar engine: a plain :class:`sqlalchemy.engine.Engine` on it.
    """

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def _setUp(self):
        if self.kind == 'sqlite':
            directory = self.useFixture(fixtures.TempDir())
            self.url = 'sqlite:///' + directory.join('heat.sqlite')
        else:
            self.url = self.useFixture(
                shared.Database(*_SERVERS[self.kind],
                                **_OPTIONS.get(self.kind, {}))).url
        self.engine = sqlalchemy.create_engine(
            self.url, poolclass=sqlalchemy.NullPool)

    def table(self, name):
        """Read the definition of a table from the database."""
        return sqlalchemy.Table(
            name, sqlalchemy.MetaData(), autoload_with=self.engine)


class Configuration(fixtures.Fixture):
    """A configuration file that names a database.

    :ivar arguments: for the command line of a tool.
    """

    def __init__(self, url):
        super().__init__()
        self.url = url

    def _setUp(self):
        path = self.useFixture(fixtures.TempDir()).join('heat.conf')
        with open(path, 'w') as target:
            target.write(f'[database]\nconnection = {self.url}\n')
        self.arguments = ['--config-file', path]


class Heat(fixtures.Fixture):
    """A database with empty tables of Heat and heat-extras, which Heat uses.

    All tests of a process share it: Heat's migrations take seconds.

    :ivar engine: the engine that Heat uses.
    """

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def _setUp(self):
        if self.kind not in _prepared:
            _prepared[self.kind] = _prepare(self.kind)
        manager = _prepared[self.kind]
        self.addCleanup(db_api.context_manager.patch_factory(manager))
        self.engine = manager.writer.get_engine()
        self.empty()

    def empty(self):
        """Delete all rows of all tables."""
        with self.engine.begin() as connection:
            for table in reversed(tables()):
                connection.execute(table.delete())


def server(kind):
    """Return this process's server of a kind, to stop and start it."""
    return shared.server(*_SERVERS[kind])


def tables():
    """List all tables; tables with references come later."""
    return [*models.BASE.metadata.sorted_tables,
            *our_models.metadata.sorted_tables]


def _prepare(kind):
    url = _create(kind)
    engine = sqlalchemy.create_engine(url, poolclass=sqlalchemy.NullPool)
    heat_migration.db_sync(engine=engine)
    migration.upgrade(engine)
    manager = enginefacade.transaction_context()
    # As many connections as threads of a test, and no retries, which would
    # hide an unavailable server.
    manager.configure(connection=url, max_retries=0)
    manager.append_on_engine_create(sqlite.prepare_engine)
    return manager


def _create(kind):
    name = f'heat_{os.getpid()}_{kind}'
    if kind == 'sqlite':
        directory = tempfile.TemporaryDirectory()
        _prepared['directory'] = directory
        return f'sqlite:///{directory.name}/heat.sqlite'
    return server(kind).create_database(
        name, **_OPTIONS.get(kind, {}))
