# SPDX-License-Identifier: Apache-2.0

import io
import os
from unittest import mock

import fixtures
import testtools

from heat_extras.terminal import tables

NAMES = ('a', 'b', 'c')
COLUMNS = tables.Columns(('b',), ('c', 'a'))


class LayoutTest(testtools.TestCase):

    def layout(self, *rows, room=20):
        return tables.layout(NAMES, rows, COLUMNS, room)

    def test_all_that_fits_is_shown(self):
        self.assertEqual((['a', 'b', 'c'], False),
                         self.layout(('1', '2', '3'), ('1', '2', '3')))
        self.assertEqual((['a', 'b', 'c'], False), self.layout())
        # To the last character.
        self.assertEqual(['a', 'b', 'c'],
                         self.layout(*[('1', '2', '3' * 8)] * 2)[0])

    def test_what_is_missed_least_goes_first(self):
        wide = '0123456789'
        self.assertEqual((['b', 'c'], False),
                         self.layout(*[(wide, '1', '2')] * 2))
        self.assertEqual((['a', 'b'], False),
                         self.layout(*[('1', '2', wide)] * 2, room=17))
        self.assertEqual((['a', 'b'], False),
                         self.layout(*[('1', wide, wide)] * 2))

    def test_what_is_essential_stays(self):
        self.assertEqual((['b'], False),
                         self.layout(*[('1' * 30,) * 3] * 2))

    def test_a_single_row_that_is_too_wide_gets_lines_of_its_own(self):
        self.assertEqual((['a', 'b', 'c'], True), self.layout(('1' * 20,) * 3))

    def test_values_need_be_no_texts(self):
        self.assertEqual(['a', 'b', 'c'], self.layout((None, 7, True))[0])


class WidthTest(testtools.TestCase):

    def test_without_a_terminal(self):
        self.assertEqual(80, tables.width(io.StringIO()))

    def test_of_a_terminal(self):
        self.useFixture(fixtures.MockPatch(
            'shutil.get_terminal_size',
            return_value=os.terminal_size((132, 24))))
        self.assertEqual(132, tables.width(mock.Mock(**{
            'isatty.return_value': True})))
