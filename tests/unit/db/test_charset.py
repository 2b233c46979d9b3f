# SPDX-License-Identifier: Apache-2.0
from unittest import mock

from heat.db import api as db_api
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
