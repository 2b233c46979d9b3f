# SPDX-License-Identifier: Apache-2.0

"""heatclient waits for the end of an update, and for no other event."""

from tests.consumers import base
from tests.consumers import cases
from tests.consumers import consumers
from tests.consumers import scenarios


class HeatClientPassTest(base.ConsumerTestCase):
    consumer = consumers.BY_NAME['heatclient']

    def _assert_right(self, situation, operation, output):
        result = self.run_case(situation, operation)
        self.assertEqual((cases.RIGHT, output), (result.verdict, result.said),
                         result)

    def test_client_waits_until_update_with_pass_is_complete(self):
        self._assert_right('pass', scenarios.UPDATE, 'UPDATE_COMPLETE')

    def test_client_reports_failed_update_with_pass(self):
        self._assert_right('pass', scenarios.BAD_UPDATE,
                           'Stack web UPDATE_FAILED')

    def test_protection_during_update_does_not_end_wait(self):
        self._assert_right('protection during it', scenarios.UPDATE,
                           'UPDATE_COMPLETE')
