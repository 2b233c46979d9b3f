# SPDX-License-Identifier: Apache-2.0

import argparse
import csv
import io

from oslo_serialization import jsonutils
import testtools
import yaml

from heat_extras.cli import tables
from heat_extras.cmd import formatters
from heat_extras import errors


def arguments(*words):
    parser = argparse.ArgumentParser()
    formatters.add_arguments(parser)
    return parser.parse_args(words)


class OutputTest(testtools.TestCase):

    names = ('name', 'reason')
    rows = [('web', 'db move, "now"'), ('mail', None)]

    def printed(self, output_format, *words, columns=None):
        stream = io.StringIO()
        formatters.print_rows(
            self.names, self.rows, arguments('-f', output_format, *words),
            columns, stream)
        return stream.getvalue()

    def test_table_has_default_columns_unless_long(self):
        columns = tables.Columns(('name',))
        self.assertEqual('| name |', self.printed(
            'table', columns=columns).splitlines()[1])
        self.assertIn('reason', self.printed('table', '--long',
                                             columns=columns))
        self.assertIn('reason', self.printed('json', columns=columns))

    def test_column_option_selects_columns(self):
        self.assertEqual('web\nmail\n', self.printed('value', '-c', 'name'))
        self.assertIn('| name |', self.printed('table', '-c', 'name'))
        error = self.assertRaises(
            formatters.ColumnError, self.printed, 'table', '-c', 'nme')
        self.assertEqual('These columns do not exist: nme. Expected any of '
                         'name, reason.', str(error))

    def test_long_texts_are_wrapped_to_max_width(self):
        self.rows = [('web', 'db move ' * 12), ('mail', None)]
        lines = self.printed(
            'table', '--max-width', '60',
            columns=tables.Columns(self.names, ('reason',))).splitlines()
        self.assertLessEqual(max(map(len, lines)), 60)

    def test_yaml_and_value_formats_have_all_rows(self):
        self.assertEqual([{'name': 'web', 'reason': 'db move, "now"'},
                          {'name': 'mail', 'reason': None}],
                         yaml.safe_load(self.printed('yaml')))
        self.assertEqual('web db move, "now"\nmail \n',
                         self.printed('value'))

    def test_table_without_rows_has_column_names(self):
        self.rows = []
        self.assertIn('| name | reason |', self.printed('table'))

    def test_table_has_a_line_per_row(self):
        lines = self.printed('table').splitlines()
        self.assertEqual('| name | reason         |', lines[1])
        self.assertEqual('| mail |                |', lines[4])

    def test_table_escapes_control_sequences(self):
        self.rows = [('web', 'db\x1b[2J\nmove \u202egrün')]
        text = self.printed('table')
        self.assertNotIn('\x1b', text)
        self.assertIn(r'db\x1b[2J\nmove \u202egrün', text)
        self.assertEqual(5, len(text.splitlines()))

    def test_json_is_a_list_of_objects(self):
        self.assertEqual(
            [{'name': 'web', 'reason': 'db move, "now"'},
             {'name': 'mail', 'reason': None}],
            jsonutils.loads(self.printed('json')))

    def test_csv_escapes_formulas(self):
        self.rows = [('=1+1', '@x'), ('+1', '-1'), ('\t=1', '\x1b[2J'),
                     (-5, 'a=b')]
        rows = list(csv.reader(io.StringIO(self.printed('csv'))))
        self.assertEqual([["'=1+1", "'@x"], ["'+1", "'-1"],
                          [r"'\t=1", r'\x1b[2J'], ['-5', 'a=b']], rows[1:])

    def test_json_is_ascii_and_keeps_text(self):
        text = '=1\x1b[2J\u202e\ud800'
        self.rows = [('web', text)]
        printed = self.printed('json')
        self.assertTrue(printed.isascii())
        self.assertTrue(printed.replace('\n', '').isprintable())
        self.assertEqual(text, jsonutils.loads(printed)[0]['reason'])

    def test_characters_not_in_encoding_are_escaped(self):
        self.rows = [('web', 'Grüße')]
        for output_format in ('table', 'csv'):
            stream = io.TextIOWrapper(io.BytesIO(), 'ascii')
            formatters.print_rows(
                self.names, self.rows, arguments('-f', output_format),
                stream=stream)
            stream.flush()
            self.assertIn(rb'Gr\xfc\xdfe', stream.buffer.getvalue())

    def test_error_has_one_escaped_line_for_each_problem(self):
        self.assertEqual(r'x: a\x1b[2J',
                         formatters.error_text(
                             'x', ValueError('a\x1b[2J\nb')))
        self.assertEqual('x: ValueError',
                         formatters.error_text('x', ValueError('')))
        self.assertEqual('x: one\nx: t\\nwo', formatters.error_text(
            'x', errors.ActivationError('one', 't\nwo')))

    def test_csv_quotes_values_where_needed(self):
        self.assertEqual(
            'name,reason\nweb,"db move, ""now"""\nmail,\n',
            self.printed('csv'))
