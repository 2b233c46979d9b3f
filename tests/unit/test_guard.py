# SPDX-License-Identifier: Apache-2.0

"""Tests of the reasons that stop an update."""

import testtools

from heat_extras import guard


class StopTest(testtools.TestCase):

    def test_body_has_type_message_certainty_and_when(self):
        self.assertEqual(
            {'type': 'StackLocked', 'message': 'no', 'certainty': 'will',
             'when': 'before_start'},
            guard.Stop('StackLocked', 'no').body())
        body = guard.Stop('T', 'no', 'a/b', False, False).body()
        self.assertEqual(('may', 'during'),
                         (body['certainty'], body['when']))
