# SPDX-License-Identifier: Apache-2.0

"""Tests of lock states and of the status overlay.

No handler exists that could fail yet, so the states are written into the
sandbox's database, as an engine that dies leaves them there.
"""


from tests.functional import templates
from tests.functional import test_stack_lock
from tests.harness import waiting

NOBODY = 'e00e0000-0000-0000-0000-00000000dead'


class StateTestCase(test_stack_lock.StackLockTestCase):
    settings = '[DEFAULT]\nperiodic_interval = 1\n'

    def write(self, path=None, **columns):
        """Write columns of all stacks of the stack tree."""
        names = ', '.join(f'{name} = ?' for name in columns)
        self.sandbox.sql(f'UPDATE stack SET {names} WHERE name LIKE ? || "%"',
                         *columns.values(), self.name)

    def write_lock(self, **columns):
        """Write columns of the row of the lock."""
        names = ', '.join(f'{name} = ?' for name in columns)
        self.sandbox.sql(
            f'UPDATE heat_extras_guard SET {names} WHERE kind = "lock" AND '
            'stack_id IN (SELECT id FROM stack WHERE name = ?)',
            *columns.values(), self.name)

    def status(self):
        return self.client.show_stack(self.path)['stack_status']

    def lock_status(self):
        return self.client.lock_status(self.path)


class StateTest(StateTestCase):
    template = templates.SCALING
    files = templates.FILES

    def setUp(self):
        super().setUp()
        self.assert_status(200, self.lock(level='stacks', reason='db move'))

    def test_requests_are_rejected_during_lock_and_unlock(self):
        for action in ('LOCK', 'UNLOCK'):
            # The sandbox engine is alive: no engine recovers the lock.
            self.write_lock(action=action, status='IN_PROGRESS')
            self.assert_refused(self.update())
            self.assert_refused(self.client.delete(self.path))
            for answer in (self.lock(), self.unlock(),
                           self.lock(dry_run=True)):
                self.assert_status(409, answer)
                self.assertIn(f'{action}_IN_PROGRESS', answer.text)
        self.write_lock(action='LOCK', status='COMPLETE')

    def test_failed_lock_can_be_repeated(self):
        self.write_lock(status='FAILED', status_reason='oh')
        stack = self.client.show_stack(self.path)
        self.assertEqual(('LOCK_FAILED', 'oh'),
                         (stack['lock_status'],
                          stack['lock_status_reason']))
        self.assert_refused(self.update())
        self.assert_status(200, self.lock(level='stacks'))
        self.assertEqual('LOCK_COMPLETE', self.lock_status())

    def test_failed_unlock_can_be_repeated(self):
        self.write_lock(action='UNLOCK', status='FAILED')
        self.assert_refused(self.update())
        for answer in self.lock(), self.lock(dry_run=True):
            self.assert_status(409, answer)
        self.assertIn('Changing the expiration of the lock of stack ', (
            self.assert_status(409, self.action(
                'extend_lock', expires_at=None)).text))
        self.assert_status(200, self.unlock())
        self.assertEqual('UNLOCK_COMPLETE', self.lock_status())

    def test_delete_after_failed_lock_or_unlock(self):
        for action in ('LOCK', 'UNLOCK'):
            self.write_lock(action=action, status='FAILED')
            nested = self.client.get(
                self.path + '/resources/group').json()['resource']['links']
            path, = ['/stacks' + link['href'].partition('/stacks')[2]
                     for link in nested if link['rel'] == 'nested']
            self.assert_refused(self.client.delete(path))
        self.assert_status(204, self.client.delete(self.path))
        self.assertIn(self.status(), ('DELETE_IN_PROGRESS',
                                      'DELETE_COMPLETE'))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])

    def test_delete_after_failed_administrator_lock(self):
        self.assert_status(200, self.lock(self.admin, level='stacks',
                                          replace=True))
        self.write_lock(status='FAILED')
        self.assert_status(403, self.client.delete(self.path))
        self.assertEqual('LOCK_FAILED', self.lock_status())
        self.assert_status(204, self.admin.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])

    def test_operation_of_down_engine_is_marked_failed(self):
        for action in ('LOCK', 'UNLOCK'):
            self.write_lock(action=action, status='IN_PROGRESS',
                            engine_id=NOBODY)
            waiting.until_equal('the stack', f'{action}_FAILED',
                                self.lock_status)
            self.assert_refused(self.update())
        self.assert_status(200, self.unlock())


class OverlayTestCase(StateTestCase):
    def names(self, query):
        answer = self.client.get('/stacks?' + query).json()
        return [stack['stack_name'] for stack in answer['stacks']]


class OverlayFullTest(OverlayTestCase):
    settings = '[heat_extras]\nstatus_overlay = full\n'

    def test_lock_overlays_stack_status(self):
        self.lock(level='stacks', reason='db move')
        for stack in (self.client.show_stack(self.path), *[
                each for each in self.client.get('/stacks').json()['stacks']
                if each['stack_name'] == self.name]):
            self.assertEqual(
                ('LOCK_COMPLETE', 'LOCK_COMPLETE', 'CREATE_COMPLETE',
                 stack['lock_status_reason']),
                (stack['stack_status'], stack['lock_status'],
                 stack['prior_stack_status'], stack['stack_status_reason']))

    def test_lock_in_progress_and_failed_lock_are_overlaid(self):
        self.lock(level='stacks')
        for action in 'LOCK', 'UNLOCK':
            for status in 'IN_PROGRESS', 'FAILED':
                self.write_lock(action=action, status=status)
                self.assertEqual(f'{action}_{status}', self.status())

    def test_unlock_is_shown_until_next_operation(self):
        self.lock(level='stacks')
        self.assert_status(200, self.unlock())
        stack = self.client.show_stack(self.path)
        self.assertEqual(
            ('UNLOCK_COMPLETE', 'CREATE_COMPLETE', None),
            (stack['stack_status'], stack['prior_stack_status'],
             stack['lock_status']))
        self.assert_status(202, self.update('two'))
        after = self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.assertNotIn('prior_stack_status', after)

    def test_only_locked_stacks_have_a_row(self):
        for _ in range(2):
            self.lock(level='stacks')
            self.assertEqual(1, self.count_rows())
            self.unlock()
            self.assertEqual(('UNLOCK_COMPLETE', 0),
                             (self.status(), self.count_rows()))
            self.assert_status(202, self.update('two'))
            self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def count_rows(self):
        return self.sandbox.sql(
            'SELECT count(*) FROM heat_extras_guard WHERE stack_id = ?',
            self.path.rpartition('/')[2])[0][0]

    def test_filters_use_shown_status(self):
        self.lock(level='stacks')
        self.assertIn(self.name, self.names('status=LOCK_COMPLETE'))
        self.assertIn(self.name, self.names('action=LOCK'))
        self.assertIn(self.name, self.names('action=LOCK&status=COMPLETE'))
        self.assertNotIn(self.name, self.names('action=CREATE'))
        self.assertNotIn(self.name, self.names('status=CREATE_COMPLETE'))
        self.unlock()
        self.assertIn(self.name, self.names('status=UNLOCK_COMPLETE'))


class OverlayDefaultTest(OverlayTestCase):
    settings = None

    def test_filters_ignore_lock(self):
        self.lock(level='stacks', reason='db move')
        self.assertIn(self.name, self.names('status=CREATE_COMPLETE'))
        for query in 'action=LOCK', 'status=LOCK_COMPLETE':
            self.assertNotIn(self.name, self.names(query))
