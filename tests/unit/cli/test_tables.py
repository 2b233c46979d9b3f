# SPDX-License-Identifier: Apache-2.0

import io
import os
import sys
import types
from unittest import mock

import fixtures
import testtools

from heat_extras.cli import tables

NAMES = ('Name', 'Why', 'How', 'Set At')


class WrapTest(testtools.TestCase):

    def wrap(self, room, row):
        wrapped, same = tables.wrap(NAMES, [row, row], ('Why', 'How'), room)
        self.assertEqual(wrapped, same)
        return wrapped

    def width(self, room, row):
        lines = [max(map(len, [name, *str(value).splitlines()]))
                 for name, value in zip(NAMES, self.wrap(room, row),
                                        strict=True)]
        return sum(lines) + 3 * len(lines) + 1

    def test_what_fits_stays_as_it_is(self):
        row = 'web', 'a b', 'c d', None
        self.assertEqual(row, self.wrap(30, row))
        self.assertEqual([], tables.wrap(NAMES, [], ('Why',), 30))

    def test_long_texts_share_what_is_left(self):
        row = 'web', 'word ' * 20, 'word ' * 30, None
        cells = self.wrap(80, row)
        self.assertEqual(('web', None), (cells[0], cells[3]))
        for place in 1, 2:
            self.assertLessEqual(20, max(map(len, cells[place].splitlines())))
        self.assertLessEqual(self.width(80, row), 80)

    def test_one_that_needs_less_leaves_it_to_others(self):
        row = 'web', 'a few more words', 'word ' * 30, None
        cells = self.wrap(80, row)
        self.assertEqual('a few more words', cells[1])
        self.assertEqual(39, max(map(len, cells[2].splitlines())))

    def test_no_column_becomes_too_narrow(self):
        cells = self.wrap(10, ('web', 'word ' * 20, 'word ' * 30, None))
        self.assertEqual({'word word'}, set(cells[1].splitlines()))

    def test_other_columns_are_not_broken(self):
        row = 'word ' * 20, 'b', 'c', 7
        self.assertEqual(row, self.wrap(10, row))


class RoomTest(testtools.TestCase):

    def room(self, stream, max_width=0):
        return tables.table_width(types.SimpleNamespace(max_width=max_width),
                                  stream)

    def test_without_a_terminal_there_is_no_limit(self):
        self.assertEqual(sys.maxsize, self.room(io.StringIO()))

    def test_of_a_terminal(self):
        self.useFixture(fixtures.MockPatch(
            'shutil.get_terminal_size',
            return_value=os.terminal_size((132, 24))))
        terminal = mock.Mock(**{'isatty.return_value': True})
        self.assertEqual(132, self.room(terminal))
        self.assertEqual(70, self.room(terminal, 70))
