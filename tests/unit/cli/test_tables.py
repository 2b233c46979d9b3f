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

    def test_table_that_fits_is_not_wrapped(self):
        row = 'web', 'a b', 'c d', None
        self.assertEqual(row, self.wrap(30, row))
        self.assertEqual([], tables.wrap(NAMES, [], ('Why',), 30))

    def test_long_texts_share_remaining_width(self):
        row = 'web', 'word ' * 20, 'word ' * 30, None
        cells = self.wrap(80, row)
        self.assertEqual(('web', None), (cells[0], cells[3]))
        for place in 1, 2:
            self.assertLessEqual(20, max(map(len, cells[place].splitlines())))
        self.assertLessEqual(self.width(80, row), 80)

    def test_short_text_leaves_width_to_other_columns(self):
        row = 'web', 'a few more words', 'word ' * 30, None
        cells = self.wrap(80, row)
        self.assertEqual('a few more words', cells[1])
        self.assertEqual(39, max(map(len, cells[2].splitlines())))

    def test_columns_keep_minimum_width(self):
        cells = self.wrap(10, ('web', 'word ' * 20, 'word ' * 30, None))
        self.assertEqual({'word word'}, set(cells[1].splitlines()))

    def test_only_text_columns_are_wrapped(self):
        row = 'word ' * 20, 'b', 'c', 7
        self.assertEqual(row, self.wrap(10, row))


class TableWidthTest(testtools.TestCase):

    def room(self, stream, max_width=0):
        return tables.table_width(types.SimpleNamespace(max_width=max_width),
                                  stream)

    def test_width_is_unlimited_without_terminal(self):
        self.assertEqual(sys.maxsize, self.room(io.StringIO()))

    def test_width_is_terminal_width_or_max_width(self):
        self.useFixture(fixtures.MockPatch(
            'shutil.get_terminal_size',
            return_value=os.terminal_size((132, 24))))
        terminal = mock.Mock(**{'isatty.return_value': True})
        self.assertEqual(132, self.room(terminal))
        self.assertEqual(70, self.room(terminal, 70))
