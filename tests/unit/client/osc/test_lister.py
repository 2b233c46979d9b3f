# SPDX-License-Identifier: Apache-2.0

import csv
import io
import json

from osc_lib.cli import format_columns
import yaml

from heat_extras.cli import tables
from heat_extras.client.osc import lister
from tests.unit.client.osc import base

HOSTILE = '=cmd|"/C calc"!A0\x1b[2J\r\n\u202etxt\ud800'
SHOWN = '=cmd|"/C calc"!A0' + r'\x1b[2J\r\n\u202etxt\ud800'
NAMES = ('Name', 'Stops', 'Count', 'Nothing')


class Hostile(lister.SafeLister):
    """Print what a server should not have taken."""

    def take_action(self, parsed_args):
        self.say(HOSTILE)
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

    def test_a_table_is_not_obeyed(self):
        text = self.printed('table')
        self.assertIn(f'| {SHOWN} | {SHOWN} |', text)
        self.assertEqual(5, len(text.splitlines()))

    def test_values_are_on_one_line(self):
        text = self.printed('value')
        self.assertEqual(1, len(text.splitlines()))
        self.assertTrue(text.startswith(SHOWN + ' '))

    def test_a_spreadsheet_does_not_calculate(self):
        row = list(csv.reader(io.StringIO(self.printed('csv')),
                              escapechar='\\'))[1]
        self.assertEqual("'=cmd|", row[0][:6])
        self.assertEqual(['[', '-5'], [row[1][0], row[2]])

    def test_json_and_yaml_are_what_the_server_said(self):
        for read, output_format in ((json.loads, 'json'),
                                    (yaml.safe_load, 'yaml')):
            row, = read(self.printed(output_format))
            self.assertEqual((HOSTILE, [HOSTILE], -5, None),
                             tuple(map(row.get, NAMES)))

    def test_what_is_said_besides_is_one_line(self):
        self.printed('json')
        self.assertEqual(SHOWN + '\n', self.said)


class Wide(lister.SafeLister):
    """List as many rows as it is told to."""

    shown = tables.Columns(('Name',), ('Count', 'Text'))
    rows = 1

    def take_action(self, parsed_args):
        return ('Text', 'Count', 'Name'), [
            ('word ' * 20, 7, f'r{number}') for number in range(self.rows)]


class WidthTest(base.CommandTestCase):
    def lines(self, *arguments, rows=1):
        Wide.rows = rows
        code, output, said = self.call(Wide, *arguments)
        lines = output.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        return lines

    def heads(self, line):
        return [each.strip() for each in line.strip('|').split('|')]

    def test_a_single_row_is_shown_field_by_field(self):
        lines = self.lines()
        self.assertEqual(['Field', 'Value'], self.heads(lines[1]))
        self.assertEqual(['Count', '7'], self.heads(lines[5]))

    def test_of_several_rows_the_columns_are_shown_that_fit(self):
        self.assertEqual(['Count', 'Name'],
                         self.heads(self.lines(rows=2)[1]))

    def test_who_asks_for_no_limit_gets_all(self):
        for wanted in ('0', '-1'):
            Wide.rows = 2
            code, output, said = self.call(Wide, f'--max-width={wanted}')
            self.assertEqual(['Text', 'Count', 'Name'],
                             self.heads(output.splitlines()[1]))
            self.assertEqual(6, len(output.splitlines()))

    def test_a_limit_is_one_also_to_the_layout(self):
        self.assertEqual(['Name'], self.heads(self.lines(
            '--max-width', '12', rows=2)[1]))
        self.assertEqual(['Count', 'Name'], self.heads(self.lines(
            '--fit-width', rows=2)[1]))

    def test_who_asks_for_a_column_gets_it(self):
        self.assertEqual(['Text', 'Name'], self.heads(self.lines(
            '-c', 'Text', '-c', 'Name', rows=2)[1]))

    def test_programs_get_all_as_a_list(self):
        Wide.rows = 1
        code, output, said = self.call(Wide, '-f', 'json')
        self.assertEqual([{'Text': 'word ' * 20, 'Count': 7, 'Name': 'r0'}],
                         json.loads(output))
