# SPDX-License-Identifier: Apache-2.0

import contextlib
import csv
import io

from oslo_serialization import jsonutils
import testtools
import yaml

from heat_extras.output import lister


class OutputTest(testtools.TestCase):

    names = ('name', 'reason')
    rows = [('web', 'db move, "now"'), ('mail', None)]

    def printed(self, output_format, *words, columns=None):
        stream = io.StringIO()
        self.print_to(stream, '-f', output_format, *words, columns=columns)
        return stream.getvalue()

    def print_to(self, stream, *words, columns=None):
        with contextlib.redirect_stdout(stream):
            lister.print_rows(
                self.names, self.rows,
                lister.create_parser('x').parse_args(words),
                columns or lister.Columns(self.names))

    def test_table_has_default_columns_unless_long(self):
        columns = lister.Columns(('name',))
        self.assertEqual('| name |', self.printed(
            'table', columns=columns).splitlines()[1])
        self.assertIn('reason', self.printed('table', '--long',
                                             columns=columns))
        self.assertIn('reason', self.printed('json', columns=columns))

    def test_column_option_selects_columns(self):
        self.assertEqual('web\nmail\n', self.printed('value', '-c', 'name'))
        self.assertIn('| name |', self.printed('table', '-c', 'name'))
        error = self.assertRaises(
            lister.ColumnError, self.printed, 'table', '-c', 'nme')
        self.assertEqual('These columns do not exist: nme. Expected any of '
                         'name, reason.', str(error))

    def test_long_texts_are_wrapped_to_max_width(self):
        self.rows = [('web', 'db move ' * 12), ('mail', None)]
        lines = self.printed(
            'table', '--max-width', '60',
            columns=lister.Columns(self.names, ('reason',))).splitlines()
        self.assertLessEqual(max(map(len, lines)), 60)

    def test_yaml_and_value_formats_have_all_rows(self):
        self.assertEqual([{'name': 'web', 'reason': 'db move, "now"'},
                          {'name': 'mail', 'reason': None}],
                         yaml.safe_load(self.printed('yaml')))
        self.assertEqual('web db move, "now"\nmail None\n',
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
        rows = list(csv.reader(io.StringIO(self.printed('csv')),
                               escapechar='\\'))
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
        # cliff writes each backslash of a CSV file twice.
        for output_format, shown in (('table', rb'Gr\xfc\xdfe'),
                                     ('csv', rb'Gr\\xfc\\xdfe')):
            stream = io.TextIOWrapper(io.BytesIO(), 'ascii')
            self.print_to(stream, '-f', output_format)
            self.assertIn(shown, stream.buffer.getvalue())

    def test_csv_quotes_values_as_in_openstack_commands(self):
        self.assertEqual(
            '"name","reason"\n"web","db move, ""now"""\n"mail",""\n',
            self.printed('csv'))
        self.assertEqual(
            'name,reason\nweb,"db move, ""now"""\nmail,\n',
            self.printed('csv', '--quote', 'minimal'))

    def test_rows_are_sorted(self):
        self.assertEqual('mail\nweb\n', self.printed(
            'value', '-c', 'name', '--sort-column', 'name'))
