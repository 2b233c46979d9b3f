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
    """Print control characters and a formula."""

    shown = tables.Columns(NAMES)

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

    shown = tables.Columns(('Count', 'Name'))

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

    def test_json_has_all_columns(self):
        code, output, error = self.call(Wide, '-f', 'json')
        self.assertEqual([{'Text': 'word ' * 20, 'Count': 7, 'Name': name}
                          for name in ('r0', 'r1')], json.loads(output))
