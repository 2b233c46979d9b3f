# SPDX-License-Identifier: Apache-2.0

import fixtures
from oslo_db import exception as db_exception
import testtools

from heat_extras.db import counter_writes
from heat_extras.db import counters


class CountTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.write = self.useFixture(fixtures.MockPatchObject(
            counter_writes, '_count_in_transaction')).mock

    def test_plugin_denial_is_counted_with_caller_context(self):
        counter_writes.count_event(
            '1', counters.DENIED,
            counters.plugin_operation('DELETE', 'a b'), 'context')
        self.write.assert_called_once_with('context', '1', 'denied',
                                           'DELETE a b')
        self.assertEqual(('DELETE', 'a b'),
                         counters.split_plugin_operation('DELETE a b'))

    def test_unavailable_database_is_logged_and_ignored(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.write.side_effect = db_exception.DBConnectionError('away')
        counter_writes.count_event('1', counters.POLICY, 'update')
        self.assertIn('The counter of "policy" for update of stack 1 could',
                      log.output)
