# SPDX-License-Identifier: Apache-2.0

"""A Heat database that Heat's migrations create."""

import datetime
import os
import shutil
import tempfile

import fixtures
from heat.db import migration as heat_migration
import sqlalchemy

from heat_extras.db import migration

# Heat's migrations take a second; a process runs them once.
_made = {}


def _empty_heat_database():
    if 'path' not in _made:
        _made['directory'] = tempfile.TemporaryDirectory()
        path = os.path.join(_made['directory'].name, 'heat.sqlite')
        engine = sqlalchemy.create_engine('sqlite:///' + path)
        heat_migration.db_sync(engine=engine)
        engine.dispose()
        _made['path'] = path
    return _made['path']


class HeatDatabase(fixtures.Fixture):
    """An SQLite database as ``heat-manage db_sync`` leaves it.

    :ivar url: its SQLAlchemy URL.
    :ivar engine: its :class:`sqlalchemy.engine.Engine`.
    """

    def __init__(self, extended=False):
        """Choose the schema.

        :param extended: whether to run the migrations of heat-extras.
        """
        super().__init__()
        self.extended = extended

    def _setUp(self):
        directory = self.useFixture(fixtures.TempDir())
        path = shutil.copy(_empty_heat_database(), directory.join('db'))
        self.url = 'sqlite:///' + path
        self.engine = sqlalchemy.create_engine(self.url)
        self.addCleanup(self.engine.dispose)
        if self.extended:
            migration.upgrade(self.engine)

    def table(self, name):
        """Read the definition of a table from the database."""
        return sqlalchemy.Table(
            name, sqlalchemy.MetaData(), autoload_with=self.engine)

    def rows(self, name):
        """Read all rows of a table, as dictionaries."""
        with self.engine.connect() as connection:
            result = connection.execute(self.table(name).select())
            return [dict(row) for row in result.mappings()]

    def insert(self, name, values):
        """Insert one row, and return its primary key."""
        with self.engine.begin() as connection:
            result = connection.execute(
                self.table(name).insert().values(values))
            return result.inserted_primary_key

    def add_stack(self, stack_id, **values):
        """Insert a stack with a template; *values* replace the defaults."""
        template_id, = self.insert('raw_template', {'template': '{}'})
        columns = {
            'id': stack_id, 'name': 'web', 'tenant': 'demo',
            'raw_template_id': template_id, 'disable_rollback': True,
            'action': 'CREATE', 'status': 'COMPLETE'}
        self.insert('stack', columns | values)

    def add_protected_stack(self, stack_id, guard=None, **values):
        """Insert a stack that alice has protected from deletion.

        :param guard: values of the row of the protection.
        :param values: values of the row of the stack.
        """
        self.add_stack(stack_id, **{'delete_protection_id': 'of-' + stack_id,
                                    **values})
        self.add_guard(stack_id, **{
            'id': 'of-' + stack_id, 'kind': 'delete_protection',
            'reason': 'the only copy', **(guard or {})})

    def add_locked_stack(self, stack_id, guard=None, **values):
        """Insert a stack that alice has locked.

        :param guard: values of the row of the lock.
        :param values: values of the row of the stack. A nested stack has the
            lock of its root stack.
        """
        lock_id = 'lock-of-' + values.get('owner_id', stack_id)
        self.add_stack(stack_id, **{'lock_level': 'stacks',
                                    'lock_id': lock_id, **values})
        if 'owner_id' not in values:
            self.add_guard(stack_id, **{
                'id': lock_id, 'kind': 'lock', 'reason': 'db move',
                'level': 'stacks', 'action': 'LOCK', 'status': 'COMPLETE',
                **(guard or {})})

    def add_guard(self, stack_id, **values):
        """Insert the row of a lock or protection of alice."""
        self.insert('heat_extras_guard', {
            'stack_id': stack_id, 'set_by': 'alice', 'rank': 'member',
            'set_at': datetime.datetime(2026, 11, 20, 10, 2, 11), **values})

    def schema(self):
        """List the definition of every table and index."""
        with self.engine.connect() as connection:
            return set(connection.execute(sqlalchemy.text(
                'SELECT type, name, tbl_name, sql FROM sqlite_master')).all())
