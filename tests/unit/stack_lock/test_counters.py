# SPDX-License-Identifier: Apache-2.0

import fixtures
from heat.common import exception as heat_exception
from oslo_db import exception as db_exception
import testtools

from heat_extras.stack_lock import counters
from heat_extras.stack_lock import errors


class CountRefusalTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.write = self.useFixture(fixtures.MockPatchObject(
            counters.counting, '_count')).mock

    def test_refusal_is_counted_for_its_stack(self):
        counters.count_refusal(
            errors.StackLocked(stack_id='1', message='x'), 'update')
        (_, *words), _ = self.write.call_args
        self.assertEqual(['1', 'refused', 'update'], words)

    def test_other_errors_are_not_counted(self):
        counters.count_refusal(heat_exception.NotFound(msg_fmt='x'), 'update')
        counters.count_refusal(
            errors.StackLockConflict(message='x'), 'update')
        self.write.assert_not_called()

    def test_database_that_is_away_changes_no_answer(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.write.side_effect = db_exception.DBConnectionError('away')
        counters.count_refusal(
            errors.StackLocked(stack_id='1', message='x'), 'update')
        self.assertIn('"refused" of update of stack 1 could not be counted',
                      log.output)
