# SPDX-License-Identifier: Apache-2.0

"""The end of a thread that calls services for a lock."""

import contextlib
from unittest import mock

import fixtures
from heat.db import models
from oslo_db import exception as db_exception

from heat_extras.db import resource_events
from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock import states
from tests.database import base


class Killed(BaseException):
    """As the GreenletExit of ThreadGroupManager.stop."""


class ThreadEndTest(base.DatabaseTest):

    scenarios = [('sqlite', {'kind': 'sqlite'})]

    def setUp(self):
        super().setUp()
        self.root, self.ends = self.stacks.add_stack(), []
        self.protect = self.useFixture(fixtures.MockPatchObject(
            lock_thread.lock_resources, 'protect')).mock
        self.protect.return_value.failure.return_value = None

    def start(self, stack_id, function, *arguments):
        with contextlib.suppress(Killed):
            function(*arguments)

    def end(self):
        """Lock, and read the status of the lock and its reason."""
        service = mock.Mock(engine_id=base.ENGINE)
        service.thread_group_mgr.start = self.start
        try:
            lock_thread.start_thread(
                service, self.context, self.lock(self.root, level='all'),
                states.LOCK, states.ALL, self.ends.append)
        finally:
            row = self.lock_row(self.root)
            self.status, self.reason = row.status, row.status_reason

    def test_unexpected_error_fails_lock_and_is_only_logged(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.protect.side_effect = ValueError('a secret')
        self.end()
        self.assertEqual(('FAILED', [True]), (self.status, self.ends))
        self.assertIn('an unexpected error', self.reason)
        self.assertNotIn('a secret', self.reason)
        self.assertIn('a secret', log.output)

    def test_stopped_thread_fails_lock(self):
        self.protect.side_effect = Killed()
        self.end()
        self.assertEqual(('FAILED', [True]), (self.status, self.ends))
        self.assertIn('was stopped', self.reason)

    def test_lock_fails_if_no_thread_can_be_started(self):
        self.start = mock.Mock(side_effect=RuntimeError('too many threads'))
        self.assertRaises(RuntimeError, self.end)
        self.assertEqual(('FAILED', [True]), (self.status, self.ends))
        self.assertIn('No thread could be started', self.reason)

    def test_lock_is_complete_without_events_of_resources_after_error(self):
        with mock.patch.object(resource_events, 'fail_unfinished',
                               side_effect=db_exception.DBError()):
            self.end()
        self.assertEqual(('COMPLETE', [False]), (self.status, self.ends))
        self.assertEqual('COMPLETE', self.stacks.rows(models.Event)[
            -1].resource_status)
