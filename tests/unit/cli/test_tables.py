# SPDX-License-Identifier: Apache-2.0

import io
import os
from unittest import mock

import fixtures
import testtools

from heat_extras.cli import tables

NAMES = ('a', 'b', 'c')
COLUMNS = tables.Columns(('b',), ('c', 'a'))


class LayoutTest(testtools.TestCase):

    def layout(self, *rows, room=20):
        found = tables.layout(NAMES, rows, COLUMNS, room)
        self.assertEqual({}, found.widths)
        return found[:2]

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


class WrappedTest(testtools.TestCase):

    def layout(self, room, *rows, is_list=False):
        return tables.layout(
            ('Name', 'Why', 'How', 'Set At'), rows,
            tables.Columns(('Name', 'Why'), ('How', 'Set At'),
                           wrapped=('Why', 'How'), is_list=is_list), room)

    def test_wrapped_columns_share_what_is_left(self):
        row = 'web', 'word ' * 20, 'word ' * 30, None
        found = self.layout(80, row, row)
        self.assertEqual((['Name', 'Why', 'How', 'Set At'], {
            'Why': 28, 'How': 29}), (found.names, dict(found.widths)))
        self.assertEqual(row[0], found.wrap('Name', row[0]))
        self.assertEqual({24}, {len(line) for line in found.wrap(
            'Why', row[1]).splitlines()})

    def test_one_that_needs_less_leaves_it_to_others(self):
        row = 'web', 'a few more words', 'word ' * 30, None
        self.assertEqual({'Why': 16, 'How': 41},
                         dict(self.layout(80, row, row).widths))

    def test_a_column_that_would_be_too_narrow_is_left_out(self):
        row = 'web', 'word ' * 20, 'word ' * 30, None
        found = self.layout(40, row, row)
        self.assertEqual((['Name', 'Why', 'Set At'], {'Why': 20}),
                         (found.names, dict(found.widths)))

    def test_the_columns_of_a_list_do_not_depend_on_the_width(self):
        row = 'web', 'word ' * 20, 'word ' * 30, None
        for room, widths in ((20, {'Why': 14}), (40, {'Why': 29}), (300, {})):
            found = self.layout(room, row, is_list=True)
            self.assertEqual((['Name', 'Why'], False, widths),
                             (*found[:2], dict(found.widths)))


class WidthTest(testtools.TestCase):

    def test_without_a_terminal(self):
        self.assertEqual(80, tables.width(io.StringIO()))

    def test_of_a_terminal(self):
        self.useFixture(fixtures.MockPatch(
            'shutil.get_terminal_size',
            return_value=os.terminal_size((132, 24))))
        self.assertEqual(132, tables.width(mock.Mock(**{
            'isatty.return_value': True})))
