# SPDX-License-Identifier: Apache-2.0

"""What is done is not done again; tests/database/test_failing_steps.py asks
databases.
"""

import fixtures
from heat.common import config  # noqa: F401  # registers Heat's options
from oslo_config import cfg
from oslo_db import exception as db_exception
import testtools

from heat_extras.stack_lock import commit_retry


class OnceTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        cfg.CONF.set_override('db_retry_interval', 0, 'database')
        self.addCleanup(cfg.CONF.clear_override, 'db_retry_interval',
                        'database')
        self.useFixture(fixtures.MockPatch('oslo_db.api.time.sleep'))
        # Which of the events are there, and how each attempt ends.
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

    def test_one_that_is_answered(self):
        self.ends = [bool]
        self.assertEqual('outcome 1', self.write())

    def test_one_that_is_not_done_is_done_again(self):
        self.ends = [self.lose_connection, bool]
        self.assertEqual('outcome 2', self.write())

    def test_one_that_is_done_is_not(self):
        self.ends = [self.commit_and_lose_connection]
        self.assertEqual('outcome 1', self.write())
        self.assertEqual(1, self.count)

    def test_one_that_is_done_meanwhile_is_no_refusal(self):
        self.ends = [self.lose_connection, self.end_late_and_refuse]
        self.assertEqual('outcome 1', self.write())

    def test_a_refusal_stays_one(self):
        self.ends = [self.refuse]
        self.assertRaises(LookupError, self.write)
        self.ends = [self.lose_connection, self.refuse]
        self.assertRaises(LookupError, self.write)
