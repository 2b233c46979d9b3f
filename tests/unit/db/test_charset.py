# SPDX-License-Identifier: Apache-2.0
from unittest import mock

from heat.db import api as db_api
import sqlalchemy
import testtools

from heat_extras.db import charset

SAMPLES = {'ascii': 'a', 'latin': 'ü', 'three': '数', 'four': '\U0001f512'}


class TakesTest(testtools.TestCase):

    def taken(self, *charsets):
        return [name for name, letter in SAMPLES.items()
                if charset.has_character(charsets, letter)]

    def test_of_mysql_and_mariadb(self):
        self.assertEqual(['ascii', 'latin', 'three', 'four'],
                         self.taken('utf8mb4'))
        for name in ('utf8', 'utf8mb3', 'ucs2'):
            self.assertEqual(['ascii', 'latin', 'three'], self.taken(name))

    def test_of_postgresql(self):
        for name in ('UTF8', 'SQL_ASCII'):
            self.assertEqual(['ascii', 'latin', 'three', 'four'],
                             self.taken(name))

    def test_the_narrowest_counts(self):
        self.assertEqual(['ascii', 'latin', 'three'],
                         self.taken('utf8mb4', 'utf8mb3'))

    def test_all_where_nothing_is_known(self):
        self.assertEqual(['ascii', 'latin', 'three', 'four'], self.taken())

    def test_ascii_of_other_sets(self):
        for name in ('latin1', 'LATIN1', 'WIN1252', 'klingon'):
            self.assertEqual(['ascii'], self.taken(name))


class OfTest(testtools.TestCase):

    def test_sqlite_takes_everything(self):
        self.assertEqual((), charset.get_charsets(sqlalchemy.create_engine(
            'sqlite://')))

    def test_a_database_is_asked_once(self):
        engine = mock.MagicMock()
        engine.dialect.name = 'mysql'
        connection = engine.connect.return_value.__enter__.return_value
        connection.exec_driver_sql.return_value.scalars.return_value = [
            'utf8mb4', 'utf8mb3']
        for _ in range(3):
            self.assertEqual(('utf8mb3', 'utf8mb4'),
                             charset.get_charsets(engine))
        self.assertEqual(1, engine.connect.call_count)


class HeatTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        for target, name in ((db_api, 'get_engine'), (charset,
                                                      'get_charsets')):
            patched = mock.patch.object(target, name,
                                        return_value=('utf8mb3',))
            setattr(self, name, patched.start())
            self.addCleanup(patched.stop)

    def test_one_that_is_away_takes_three_bytes_and_is_asked_again(self):
        self.get_engine.side_effect = OSError
        for _ in range(2):
            self.assertEqual(r'\U0001f512 数',
                             charset.storable('\U0001f512 数'))
        self.get_engine.side_effect = None
        self.get_charsets.return_value = ('utf8mb4',)
        self.assertEqual('\U0001f512', charset.storable('\U0001f512'))

    def test_ascii_asks_nobody(self):
        charset.check_storable('lock reason', 'db move')
        self.assertEqual('db move', charset.storable('db move'))
        self.assertEqual(0, self.get_charsets.call_count)

    def test_what_the_database_does_not_take_is_named(self):
        error = self.assertRaises(ValueError, charset.check_storable,
                                  'lock reason', '\U0001f512')
        self.assertIn('U+1F512', str(error))
        self.assertIn('utf8mb3', str(error))

    def test_what_no_database_takes_comes_first(self):
        error = self.assertRaises(ValueError, charset.check_storable,
                                  'lock reason', '\U0001f512\0')
        self.assertIn('U+0000', str(error))

    def test_anything_becomes_storable(self):
        self.assertEqual(r'\U0001f512 数',
                         charset.storable('\U0001f512 数'))
        self.assertEqual('404', charset.storable(404))
        self.assertIsNone(charset.storable(None))
        self.assertEqual(255, len(charset.storable_line('x' * 300)))
