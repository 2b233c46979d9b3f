# SPDX-License-Identifier: Apache-2.0

import sqlalchemy
from sqlalchemy import orm
import testtools

from heat_extras.stack_lock import tree_rows


class HasColumnTest(testtools.TestCase):

    table = sqlalchemy.Table('snapshot', sqlalchemy.MetaData(),
                             sqlalchemy.Column('id', sqlalchemy.Integer))

    def setUp(self):
        super().setUp()
        engine = sqlalchemy.create_engine('sqlite://')
        self.addCleanup(engine.dispose)
        self.session = orm.Session(engine)
        self.addCleanup(self.session.close)
        self.statements = []
        self.execute('CREATE TABLE snapshot (id INTEGER)')
        sqlalchemy.event.listen(engine, 'before_cursor_execute', self.note)

    def execute(self, statement):
        self.session.execute(sqlalchemy.text(statement))

    def note(self, connection, cursor, statement, *others):
        self.statements.append(statement)

    def has(self, name):
        return tree_rows.has_column(self.session, self.table, name)

    def test_added_column_is_found_immediately(self):
        self.assertFalse(self.has('action'))
        self.execute('ALTER TABLE snapshot ADD COLUMN action VARCHAR(255)')
        self.assertTrue(self.has('action'))

    def test_found_column_is_not_queried_again(self):
        self.execute('ALTER TABLE snapshot ADD COLUMN action VARCHAR(255)')
        self.has('action')
        self.statements.clear()
        self.assertTrue(self.has('action'))
        self.assertEqual([], self.statements)

    def test_column_of_model_is_not_queried(self):
        self.assertTrue(self.has('id'))
        self.assertEqual([], self.statements)
