# SPDX-License-Identifier: Apache-2.0

"""Committed transactions are not repeated.

Tests with database servers: tests/database/test_failing_steps.py.
"""

import contextlib
import types

import fixtures
from heat.common import config  # noqa: F401  # registers Heat's options
from oslo_config import cfg
from oslo_db import exception as db_exception
import testtools

from heat_extras.operations import transactions


class CommitOnceTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        cfg.CONF.set_override('db_retry_interval', 0, 'database')
        self.addCleanup(cfg.CONF.clear_override, 'db_retry_interval',
                        'database')
        self.useFixture(fixtures.MockPatch('oslo_db.api.time.sleep'))
        # The existing events, and how each attempt ends.
        self.events, self.ends = set(), []
        for name, value in (
                ('_existing_events',
                 lambda context, ids: self.events & set(ids)),
                ('start', self.start)):
            self.useFixture(fixtures.MockPatchObject(transactions, name,
                                                     value))
        self.count = 0

    @contextlib.contextmanager
    def start(self, context):
        yield f'session {self.count}'
        self.commit()

    def write(self):
        @transactions.commit_once
        def write(session, context):
            self.assertEqual(('session 0', 'context'), (
                session.replace(str(self.count), '0'), context))
            self.count += 1
            self.commit = self.ends.pop(0)
            if self.commit == self.refuse:
                self.commit()
            return self.outcome(self.count)
        return write('context').number

    def outcome(self, number):
        return types.SimpleNamespace(number=number, root_events=[
            types.SimpleNamespace(row={'uuid': number})])

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
        self.assertEqual(1, self.write())

    def test_write_is_retried_if_not_committed(self):
        self.ends = [self.lose_connection, bool]
        self.assertEqual(2, self.write())

    def test_write_is_not_retried_if_committed(self):
        self.ends = [self.commit_and_lose_connection]
        self.assertEqual(1, self.write())
        self.assertEqual(1, self.count)

    def test_late_commit_of_first_attempt_returns_its_outcome(self):
        self.ends = [self.lose_connection, self.end_late_and_refuse]
        self.assertEqual(1, self.write())

    def test_rejection_without_earlier_commit_is_raised(self):
        self.ends = [self.refuse]
        self.assertRaises(LookupError, self.write)
        self.count = 0
        self.ends = [self.lose_connection, self.refuse]
        self.assertRaises(LookupError, self.write)
