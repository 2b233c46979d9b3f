# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.guards import errors
from heat_extras.guards import guard


class ParseActionTest(testtools.TestCase):
    def test_action_may_have_upper_case_or_hyphen(self):
        for text, wanted in (('update', 'update'), ('DELETE', 'delete'),
                             ('mark-unhealthy', 'mark_unhealthy')):
            self.assertEqual(wanted, guard.parse_action(text))
        self.assertIsNone(guard.parse_action(None))

    def test_unknown_action_is_rejected_with_choices(self):
        error = self.assertRaises(
            errors.GuardsInvalid, guard.parse_action, 'dance')
        self.assertIn("'dance' must be one of update, replace",
                      str(error))
