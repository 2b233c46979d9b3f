# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import runner
from heat_extras.lifecycle_plugins.webhook import answer


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
            error = self.assertRaises(plugin_api.Denied, answer.judge, said)
            self.assertEqual(text, str(error))

    def test_what_is_no_decision(self):
        # Open Policy Agent has an empty answer for a rule that is not there.
        for said in ({}, None, [], 'yes', 1, {'result': 'true'},
                     {'result': {}}, {'allow': 1}):
            error = self.assertRaises(answer.NotUnderstood, answer.judge,
                                      said)
            self.assertFalse(runner.is_denial(error))
