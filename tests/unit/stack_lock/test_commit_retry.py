# SPDX-License-Identifier: Apache-2.0

"""Committed transactions are not repeated.

Tests with database servers: tests/database/test_failing_steps.py.
"""

import fixtures
from heat.common import config  # noqa: F401  # registers Heat's options
from oslo_config import cfg
from oslo_db import exception as db_exception
import testtools

from heat_extras.stack_lock import commit_retry


class CommittedOnceTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        cfg.CONF.set_override('db_retry_interval', 0, 'database')
        self.addCleanup(cfg.CONF.clear_override, 'db_retry_interval',
                        'database')
        self.useFixture(fixtures.MockPatch('oslo_db.api.time.sleep'))
        # The existing events, and how each attempt ends.
        self.events, self.ends = set(), []
        self.useFixture(fixtures.MockPatchObject(
            commit_retry._Attempts, '_existing_events',
            lambda attempts, context, ids: self.events & set(ids)))
        self.count = 0

    def write(self):
        @commit_retry.committed_once
        def write(context):
            self.count += 1
            commit_retry.record_event_id(self.count)
            outcome = commit_retry.record_outcome(f'outcome {self.count}')
            self.ends.pop(0)()
            return outcome
        return write('context')

    def lose_connection(self):
        raise db_exception.DBConnectionError()

    def commit_and_lose_connection(self):
        self.events.add(self.count)
        self.lose_connection()

    def refuse(self):
        raise LookupError('locked')

    def end_late_and_refuse(self):
        self.events.add(1)
        self.refuse()

    def test_committed_write_returns_outcome(self):
        self.ends = [bool]
        self.assertEqual('outcome 1', self.write())

    def test_write_is_retried_if_not_committed(self):
        self.ends = [self.lose_connection, bool]
        self.assertEqual('outcome 2', self.write())

    def test_write_is_not_retried_if_committed(self):
        self.ends = [self.commit_and_lose_connection]
        self.assertEqual('outcome 1', self.write())
        self.assertEqual(1, self.count)

    def test_late_commit_of_first_attempt_returns_its_outcome(self):
        self.ends = [self.lose_connection, self.end_late_and_refuse]
        self.assertEqual('outcome 1', self.write())

    def test_rejection_without_earlier_commit_is_raised(self):
        self.ends = [self.refuse]
        self.assertRaises(LookupError, self.write)
        self.ends = [self.lose_connection, self.refuse]
        self.assertRaises(LookupError, self.write)
