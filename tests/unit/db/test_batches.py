# SPDX-License-Identifier: Apache-2.0

import sqlalchemy
from sqlalchemy import sql
import testtools

from heat_extras.db import batches

_TABLE = sqlalchemy.Table(
    'numbers', sqlalchemy.MetaData(),
    sqlalchemy.Column('id', sqlalchemy.Integer, primary_key=True),
    sqlalchemy.Column('word', sqlalchemy.String(16)))


class BatchesTest(testtools.TestCase):

    def test_empty_list_is_split_into_no_batches(self):
        self.assertEqual([], list(batches.split_keys([])))

    def test_every_key_is_in_single_batch(self):
        keys = list(range(1001))
        parts = list(batches.split_keys(keys))
        self.assertEqual([500, 500, 1], [len(some) for some in parts])
        self.assertEqual(keys, sum(parts, []))

    def test_each_batch_is_written_in_own_transaction(self):
        engine = sqlalchemy.create_engine('sqlite://')
        _TABLE.create(engine)
        with engine.begin() as connection:
            connection.execute(sql.insert(_TABLE), [
                {'id': number} for number in range(501)])
        commits = []
        sqlalchemy.event.listen(engine, 'commit', commits.append)
        self.assertEqual(501, batches.write_in_batches(
            engine, list(range(501)), lambda ids: sql.update(_TABLE).where(
                _TABLE.c.id.in_(ids)).values(word='new')))
        self.assertEqual(2, len(commits))
        with engine.connect() as connection:
            self.assertEqual({'new'}, set(connection.scalars(
                sql.select(_TABLE.c.word))))
