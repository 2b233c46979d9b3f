# SPDX-License-Identifier: Apache-2.0

import csv
import io

from oslo_serialization import jsonutils
import testtools

from heat_extras.cmd import output


class OutputTest(testtools.TestCase):

    names = ('name', 'reason')
    rows = [('web', 'db move, "now"'), ('mail', None)]

    def printed(self, output_format):
        stream = io.StringIO()
        output.print_rows(self.names, self.rows, output_format, stream)
        return stream.getvalue()

    def test_table_has_a_line_per_row(self):
        lines = self.printed('table').splitlines()
        self.assertEqual('| name | reason         |', lines[1])
        self.assertEqual('| mail |                |', lines[4])

    def test_table_does_not_send_control_sequences_to_the_terminal(self):
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

    def test_csv_is_not_calculated(self):
        self.rows = [('=1+1', '@x'), ('+1', '-1'), ('\t=1', '\x1b[2J'),
                     (-5, 'a=b')]
        rows = list(csv.reader(io.StringIO(self.printed('csv'))))
        self.assertEqual([["'=1+1", "'@x"], ["'+1", "'-1"],
                          [r"'\t=1", r'\x1b[2J'], ['-5', 'a=b']], rows[1:])

    def test_json_is_ascii_and_holds_the_text_as_it_is(self):
        text = '=1\x1b[2J\u202e\ud800'
        self.rows = [('web', text)]
        printed = self.printed('json')
        self.assertTrue(printed.isascii())
        self.assertTrue(printed.replace('\n', '').isprintable())
        self.assertEqual(text, jsonutils.loads(printed)[0]['reason'])

    def test_what_the_terminal_cannot_show_is_written_out(self):
        self.rows = [('web', 'Grüße')]
        for output_format in ('table', 'csv'):
            stream = io.TextIOWrapper(io.BytesIO(), 'ascii')
            output.print_rows(self.names, self.rows, output_format, stream)
            stream.flush()
            self.assertIn(rb'Gr\xfc\xdfe', stream.buffer.getvalue())

    def test_an_error_is_one_line(self):
        self.assertEqual(r'a\x1b[2J', output.line(ValueError('a\x1b[2J\nb')))
        self.assertEqual('ValueError', output.line(ValueError('')))

    def test_csv_quotes_what_needs_it(self):
        self.assertEqual(
            'name,reason\nweb,"db move, ""now"""\nmail,\n',
            self.printed('csv'))
