# SPDX-License-Identifier: Apache-2.0

"""Tests that engines unlock stacks at the expiration time."""

import time

from tests.functional import base
from tests.functional import lockable_resources
from tests.functional import templates
from tests.functional import test_stack_lock_expiry
from tests.harness import request_times
from tests.harness import waiting

HAS_COME = 'The lock has expired'
_SECONDS = 30
# Seconds: on a busy machine a request takes one or two seconds.
_SOON = 5
# Several reports of the engine.
_REPORTS_SECONDS = 2.5


class ExpirationTestCase(test_stack_lock_expiry.ExpiryTestCase):

    def lock_for(self, seconds, **fields):
        self.assert_status(200, self.lock(
            expires_at=request_times.from_now(seconds=seconds),
            **fields))
        self.client.wait_for_end(self.path)
        return self.client.show_stack(self.path)

    def let_end_come(self):
        """Set the expiration of each lock to one minute ago."""
        self.sandbox.sql("""
            UPDATE heat_extras_guard
            SET expires_at = datetime('now', '-60 seconds') || '.000000',
                unlock_at = datetime('now', '-60 seconds') || '.000000'
            WHERE expires_at IS NOT NULL""")

    def wait(self, status='UNLOCK_COMPLETE'):
        return waiting.until_equal(status, status, self.lock_status,
                                   seconds=_SECONDS)

    def stays(self, status):
        time.sleep(_REPORTS_SECONDS)
        self.assertEqual(status, self.lock_status())

    def attempts(self):
        return self.sandbox.sql(
            'SELECT unlock_attempts, unlock_at > expires_at FROM '
            'heat_extras_guard WHERE stack_id = ?',
            self.path.rpartition('/')[2])


class ExpirationTest(ExpirationTestCase):

    def test_stack_is_unlocked_at_expiration_and_not_before(self):
        stack = self.lock_for(_SOON, level='stacks', reason='db move')
        self.wait()
        events = self.client.get(
            self.path + '/events?sort_dir=asc').json()['events']
        unlock = [event for event in events
                  if event['resource_status'].startswith('UNLOCK')]
        self.assertEqual(
            [('UNLOCK_IN_PROGRESS', 'Stack UNLOCK started. ' + HAS_COME),
             ('UNLOCK_COMPLETE', HAS_COME)],
            [(event['resource_status'], event['resource_status_reason'])
             for event in unlock])
        for event in unlock:
            self.assertGreaterEqual(event['event_time'],
                                    stack['lock_expires_at'])
        self.assertEqual([], self.client.get('/locks').json()['locks'])
        self.assertIsNone(self.shown_end())
        nested = self.client.get('/stacks?show_nested=true').json()['stacks']
        self.assertEqual({None}, {each['lock_level'] for each in nested})
        self.assert_status(202, self.update())

    def test_many_locks_expire_at_same_time(self):
        paths = [self.client.create_stack(f'{self.name}-{number}',
                                          templates.SMALL)
                 for number in range(9)]
        for path in paths:
            self.addCleanup(self.client.delete, path)
            self.assert_status(200, self.client.post(
                path + '/actions', {'lock': {
                    'level': 'stacks',
                    'expires_at': test_stack_lock_expiry.FAR}}))
        self.let_end_come()
        waiting.until_equal(
            'all to be lifted', [],
            lambda: self.client.get('/locks').json()['locks'])

    def test_failed_lock_and_unlock_expire(self):
        for action in 'LOCK', 'UNLOCK':
            self.lock_for(60, level='stacks')
            self.write_lock(action=action, status='FAILED')
            self.let_end_come()
            self.wait()

    def test_operation_in_progress_delays_expiration(self):
        self.lock_for(60, level='stacks')
        # The sandbox engine is alive: no engine recovers the lock.
        self.write_lock(action='UNLOCK', status='IN_PROGRESS')
        self.let_end_come()
        self.stays('UNLOCK_IN_PROGRESS')
        self.assertEqual([(0, 0)], self.attempts())
        self.write_lock(status='FAILED')
        self.wait()

    def test_replacing_lock_has_own_expiration(self):
        self.lock_for(_SOON, level='stacks')
        self.assert_status(200, self.lock(level='stacks', replace=True))
        time.sleep(_SOON)
        self.stays('LOCK_COMPLETE')

    def test_administrator_lock_expires(self):
        self.assert_status(200, self.lock(
            self.admin, level='stacks',
            expires_at=test_stack_lock_expiry.FAR))
        self.assert_status(403, self.unlock())
        self.let_end_come()
        self.wait()


class LegacyExpirationTest(ExpirationTest):
    settings = ExpirationTest.settings + base.LEGACY.replace('[DEFAULT]\n', '')


class ReleaseTest(lockable_resources.TestCase, ExpirationTestCase):
    settings = (lockable_resources.SETTINGS
                + ExpirationTestCase.settings.replace('[DEFAULT]\n', ''))

    def test_protected_resources_are_released(self):
        self.lock_for(60, level='all')
        self.assertEqual('bolted by heat', self.state())
        self.let_end_come()
        self.wait()
        self.assertEqual({'open'}, set(self.states().values()))
        self.assertEqual(HAS_COME, self.client.get(
            self.path + '/events?sort_dir=desc').json()['events'][0][
                'resource_status_reason'])

    def test_guards_show_expiration(self):
        (self.place / self.ids['door']).write_text('bolted by bob')
        self.lock_for(600, level='all')
        guards = self.client.get(self.path + '/guards').json()['guards']
        self.assertEqual(
            {('lock', None, self.shown_end()),
             ('protection', 'door', None),
             ('protection', 'gate', self.shown_end())},
            {(each['kind'], each['name'], each['expires_at'])
             for each in guards})
        (self.place / self.ids['door']).write_text('open')

    def test_failed_release_is_retried_later(self):
        self.lock_for(60, level='all')
        self.order('jammed')
        self.let_end_come()
        self.wait('UNLOCK_FAILED')
        self.assertIn(
            HAS_COME + ', but the unlock failed. Engines will retry '
            'the unlock. 2 of 2 '
            'resources could not be released: ',
            self.client.show_stack(self.path)['lock_status_reason'])
        self.assert_refused(self.update())
        self.assertEqual([(1, 1)], self.attempts())
        (self.place / 'jammed').unlink()
        # The retry is later than the next report.
        self.stays('UNLOCK_FAILED')
        self.sandbox.sql('UPDATE heat_extras_guard SET unlock_at = expires_at')
        self.wait()
        self.assertEqual({'open'}, set(self.states().values()))

    def test_release_after_failed_unlock_by_user(self):
        self.lock_for(60, level='all')
        self.order('jammed')
        self.assert_status(200, self.unlock())
        self.wait('UNLOCK_FAILED')
        (self.place / 'jammed').unlink()
        self.let_end_come()
        self.wait()

    def test_unlock_without_credentials_is_retried(self):
        self.lock_for(60, level='all')
        before = self.sandbox.sql('SELECT id, user_creds_id FROM stack')
        self.sandbox.sql('UPDATE stack SET user_creds_id = NULL')
        self.let_end_come()
        self.wait('UNLOCK_FAILED')
        self.assertEqual('bolted by heat', self.state())
        for id, credentials_id in before:
            self.sandbox.sql('UPDATE stack SET user_creds_id = ? WHERE id = ?',
                             credentials_id, id)
        self.let_end_come()
        self.wait()
        self.assertEqual({'open'}, set(self.states().values()))
