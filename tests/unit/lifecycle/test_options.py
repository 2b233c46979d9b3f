# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle import options


class ActionsTest(testtools.TestCase):

    def test_text_is_split_into_actions(self):
        self.assertEqual(['CREATE', 'UPDATE'],
                         options.split_actions('create| UPDATE '))
        self.assertEqual([''], options.split_actions(''))

    def test_actions_option_rejects_invalid_values(self):
        kind = options.Actions()
        self.assertEqual('create|LOCK', kind('create|LOCK'))
        for wrong in ('', 'LOCK|', 'DANCE'):
            self.assertIn('expected one or more of CREATE, ', str(
                self.assertRaises(ValueError, kind, wrong)))

    def test_unknown_actions_are_listed(self):
        self.assertEqual(['DANCE', ''],
                         options.unknown_actions(['LOCK', 'DANCE', '']))
