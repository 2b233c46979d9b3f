# SPDX-License-Identifier: Apache-2.0

import csv
import io
import json
import os
import sys
import types
from unittest import mock

import fixtures
from osc_lib.cli import format_columns
import testtools
import yaml

from heat_extras.output import lister
from tests.unit.client.osc import base

HOSTILE = '=cmd|"/C calc"!A0\x1b[2J\r\n\u202etxt\ud800'
SHOWN = '=cmd|"/C calc"!A0' + r'\x1b[2J\r\n\u202etxt\ud800'
NAMES = ('Name', 'Stops', 'Count', 'Nothing')


class Hostile(lister.SafeLister):
    """Print control characters and a formula."""

    shown = lister.Columns(NAMES)

    def take_action(self, parsed_args):
        self.print_to_stderr(HOSTILE)
        return NAMES, [(HOSTILE, format_columns.ListColumn([HOSTILE]), -5,
                        None)]


class SafeListerTest(base.CommandTestCase):

    def printed(self, output_format):
        code, output, self.said = self.call(
            Hostile, '-f', output_format, *(
                ['--max-width', '200'] if output_format == 'table' else []))
        self.assertEqual(0, code)
        for letter in '\x1b\r\u202e\ud800':
            self.assertNotIn(letter, output + self.said)
        return output

    def test_table_escapes_control_characters(self):
        text = self.printed('table')
        self.assertIn(f'| {SHOWN} | {SHOWN} |', text)
        self.assertEqual(5, len(text.splitlines()))

    def test_value_format_has_one_line_per_row(self):
        text = self.printed('value')
        self.assertEqual(1, len(text.splitlines()))
        self.assertTrue(text.startswith(SHOWN + ' '))

    def test_csv_escapes_formulas(self):
        row = list(csv.reader(io.StringIO(self.printed('csv')),
                              escapechar='\\'))[1]
        self.assertEqual("'=cmd|", row[0][:6])
        self.assertEqual(['[', '-5'], [row[1][0], row[2]])

    def test_json_and_yaml_keep_text_of_server(self):
        for read, output_format in ((json.loads, 'json'),
                                    (yaml.safe_load, 'yaml')):
            row, = read(self.printed(output_format))
            self.assertEqual((HOSTILE, [HOSTILE], -5, None),
                             tuple(map(row.get, NAMES)))

    def test_stderr_message_is_escaped_to_one_line(self):
        self.printed('json')
        self.assertEqual(SHOWN + '\n', self.said)


class Wide(lister.SafeLister):
    """List two rows."""

    shown = lister.Columns(('Count', 'Name'))

    def take_action(self, parsed_args):
        return ('Text', 'Count', 'Name'), [
            ('word ' * 20, 7, f'r{number}') for number in range(2)]


class ColumnsTest(base.CommandTestCase):

    def heads(self, *arguments):
        code, output, error = self.call(Wide, *arguments)
        return [each.strip() for each in
                output.splitlines()[1].strip('|').split('|')]

    def test_table_has_default_columns(self):
        for options in (), ('--max-width', '12'), ('--fit-width',):
            self.assertEqual(['Count', 'Name'], self.heads(*options))

    def test_table_has_selected_columns(self):
        self.assertEqual(['Text', 'Name'],
                         self.heads('-c', 'Text', '-c', 'Name'))

    def test_column_names_are_those_of_all_formats(self):
        self.assertEqual(['Text'], self.heads('-c', 'text'))
        error = self.assertRaises(ValueError, self.heads, '-c', 'txt')
        self.assertIn("'Text', 'Count', 'Name'", str(error))

    def test_json_has_all_columns(self):
        code, output, error = self.call(Wide, '-f', 'json')
        self.assertEqual([{'Text': 'word ' * 20, 'Count': 7, 'Name': name}
                          for name in ('r0', 'r1')], json.loads(output))


COLUMNS = ('Name', 'Why', 'How', 'Set At')


class WrapTest(testtools.TestCase):

    def wrap(self, room, row):
        wrapped, same = lister.wrap(COLUMNS, [row, row], ('Why', 'How'), room)
        self.assertEqual(wrapped, same)
        return wrapped

    def width(self, room, row):
        lines = [max(map(len, [name, *str(value).splitlines()]))
                 for name, value in zip(COLUMNS, self.wrap(room, row),
                                        strict=True)]
        return sum(lines) + 3 * len(lines) + 1

    def test_table_that_fits_is_not_wrapped(self):
        row = 'web', 'a b', 'c d', None
        self.assertEqual(row, self.wrap(30, row))
        self.assertEqual([], lister.wrap(COLUMNS, [], ('Why',), 30))

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
        return lister.table_width(types.SimpleNamespace(max_width=max_width),
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
