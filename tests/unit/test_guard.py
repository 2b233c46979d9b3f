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

import datetime

import testtools

from heat_extras import guard


class GuardTest(testtools.TestCase):
    def test_the_body(self):
        at = datetime.datetime(2026, 11, 20, 10, 2, 11, 5)
        body = guard.Guard('lock', 'id', ('update',), set_at=at).body('web')
        self.assertEqual(
            {'kind': 'lock', 'stack_id': 'id', 'stack_name': 'web',
             'name': None, 'stops': ['update'], 'set_by': None,
             'set_at': '2026-11-20T10:02:11Z', 'reason': None,
             'lifted_by': None, 'how_to_lift': None}, body)

    def test_an_unknown_time_is_null(self):
        self.assertIsNone(guard.isotime(None))


class ParseActionTest(testtools.TestCase):
    def test_any_usual_spelling(self):
        for text, wanted in (('update', 'update'), ('DELETE', 'delete'),
                             ('mark-unhealthy', 'mark_unhealthy')):
            self.assertEqual(wanted, guard.parse_action(text))

    def test_others_are_told_which_there_are(self):
        error = self.assertRaises(ValueError, guard.parse_action, 'dance')
        self.assertIn("found 'dance', wanted one of update, replace",
                      str(error))
