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

import testtools

from heat_extras.lifecycle import denial
from heat_extras.plugins.webhook import answer


class AnswerTest(testtools.TestCase):

    def test_what_allows(self):
        for said in ({'result': True}, {'result': {'allow': True}}, True,
                     {'allow': True, 'reason': 'x'}):
            answer.judge(said)

    def test_what_denies(self):
        for said, text in (
                ({'result': False}, 'the service gave no reason'),
                ({'result': {'allow': False, 'reason': 'no'}}, 'no'),
                ({'allow': False, 'reason': ['x']},
                 'the service gave no reason'),
                ({'allow': False, 'reason': 'x' * 5000}, 'x' * 1000)):
            error = self.assertRaises(denial.Denied, answer.judge, said)
            self.assertEqual(text, str(error))

    def test_what_is_no_decision(self):
        # Open Policy Agent has an empty answer for a rule that is not there.
        for said in ({}, None, [], 'yes', 1, {'result': 'true'},
                     {'result': {}}, {'allow': 1}):
            error = self.assertRaises(answer.NotUnderstood, answer.judge,
                                      said)
            self.assertFalse(denial.is_denial(error))
