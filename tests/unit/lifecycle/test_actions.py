# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle import actions


class ActionsTest(testtools.TestCase):

    def test_a_text_names_actions(self):
        self.assertEqual(['CREATE', 'UPDATE'],
                         actions.split('create| UPDATE '))
        self.assertEqual([''], actions.split(''))

    def test_the_type_of_an_option(self):
        kind = actions.Actions()
        self.assertEqual('create|LOCK', kind('create|LOCK'))
        for wrong in ('', 'LOCK|', 'DANCE'):
            self.assertIn('wanted one or more of CREATE, ', str(
                self.assertRaises(ValueError, kind, wrong)))

    def test_what_is_no_action(self):
        self.assertEqual(['DANCE', ''],
                         actions.unknown(['LOCK', 'DANCE', '']))
