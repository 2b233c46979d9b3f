# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.


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

    def test_csv_quotes_what_needs_it(self):
        self.assertEqual(
            'name,reason\nweb,"db move, ""now"""\nmail,\n',
            self.printed('csv'))
