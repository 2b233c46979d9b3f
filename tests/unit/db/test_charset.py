# SPDX-License-Identifier: Apache-2.0
from unittest import mock

from heat.db import api as db_api
import sqlalchemy
import testtools

from heat_extras.db import charset

SAMPLES = {'ascii': 'a', 'latin': 'ü', 'three': '数', 'four': '\U0001f512'}


class HasCharacterTest(testtools.TestCase):

    def taken(self, *charsets):
        return [name for name, letter in SAMPLES.items()
                if charset.has_character(charsets, letter)]

    def test_characters_of_mysql_and_mariadb_charsets(self):
        self.assertEqual(['ascii', 'latin', 'three', 'four'],
                         self.taken('utf8mb4'))
        for name in ('utf8', 'utf8mb3', 'ucs2'):
            self.assertEqual(['ascii', 'latin', 'three'], self.taken(name))

    def test_characters_of_postgresql_charsets(self):
        for name in ('UTF8', 'SQL_ASCII'):
            self.assertEqual(['ascii', 'latin', 'three', 'four'],
                             self.taken(name))

    def test_narrowest_of_several_charsets_is_used(self):
        self.assertEqual(['ascii', 'latin', 'three'],
                         self.taken('utf8mb4', 'utf8mb3'))

    def test_all_characters_are_storable_without_charset(self):
        self.assertEqual(['ascii', 'latin', 'three', 'four'], self.taken())

    def test_only_ascii_is_storable_in_other_charsets(self):
        for name in ('latin1', 'LATIN1', 'WIN1252', 'klingon'):
            self.assertEqual(['ascii'], self.taken(name))


class GetCharsetsTest(testtools.TestCase):

    def test_sqlite_has_no_charset_limits(self):
        self.assertEqual((), charset.get_charsets(sqlalchemy.create_engine(
            'sqlite://')))

    def test_charsets_are_queried_once_per_engine(self):
        engine = mock.MagicMock()
        engine.dialect.name = 'mysql'
        connection = engine.connect.return_value.__enter__.return_value
        connection.exec_driver_sql.return_value.scalars.return_value = [
            'utf8mb4', 'utf8mb3']
        for _ in range(3):
            self.assertEqual(('utf8mb3', 'utf8mb4'),
                             charset.get_charsets(engine))
        self.assertEqual(1, engine.connect.call_count)


class StorableTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        for target, name in ((db_api, 'get_engine'), (charset,
                                                      'get_charsets')):
            patched = mock.patch.object(target, name,
                                        return_value=('utf8mb3',))
            setattr(self, name, patched.start())
            self.addCleanup(patched.stop)

    def test_unavailable_database_is_assumed_utf8mb3_and_retried(self):
        self.get_engine.side_effect = OSError
        for _ in range(2):
            self.assertEqual(r'\U0001f512 数',
                             charset.storable('\U0001f512 数'))
        self.get_engine.side_effect = None
        self.get_charsets.return_value = ('utf8mb4',)
        self.assertEqual('\U0001f512', charset.storable('\U0001f512'))

    def test_ascii_text_needs_no_query(self):
        charset.check_storable('lock reason', 'db move')
        self.assertEqual('db move', charset.storable('db move'))
        self.assertEqual(0, self.get_charsets.call_count)

    def test_unstorable_character_and_charset_are_named(self):
        error = self.assertRaises(ValueError, charset.check_storable,
                                  'lock reason', '\U0001f512')
        self.assertIn('U+1F512', str(error))
        self.assertIn('utf8mb3', str(error))

    def test_null_character_is_reported_first(self):
        error = self.assertRaises(ValueError, charset.check_storable,
                                  'lock reason', '\U0001f512\0')
        self.assertIn('U+0000', str(error))

    def test_storable_escapes_converts_and_truncates(self):
        self.assertEqual(r'\U0001f512 数',
                         charset.storable('\U0001f512 数'))
        self.assertEqual('404', charset.storable(404))
        self.assertIsNone(charset.storable(None))
        self.assertEqual(255, len(charset.storable_line('x' * 300)))
