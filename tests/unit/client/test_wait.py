# SPDX-License-Identifier: Apache-2.0

import json

from testtools import matchers

from heat_extras.client.osc import lock
from tests.unit.client.osc import base


def complete(web):
    web.reach('LOCK_COMPLETE')


def nothing(web):
    pass


class WaitTest(base.CommandTestCase):

    def setUp(self):
        super().setUp()
        self.web = self.heat.add('web')

    def lock(self):
        return self.call(lock.LockStack, '--wait', 'web', '-f', 'json')

    def result(self, out):
        return json.loads(out)[0]['Result']

    def test_events_are_printed_to_stderr(self):
        self.web.to_come = [
            nothing, lambda web: web.add_event('LOCK_COMPLETE', 'server'),
            complete]
        code, out, err = self.lock()
        self.assertEqual((0, 'locked'), (code, self.result(out)))
        self.assertThat(err.splitlines(), matchers.MatchesListwise([
            matchers.MatchesRegex(r'2026-11-20 .* \[web\]: LOCK_IN_PROGRESS'),
            matchers.MatchesRegex(r'2026-11-20 .* \[server\]: LOCK_COMPLETE'),
            matchers.MatchesRegex(r'2026-11-20 .* \[web\]: LOCK_COMPLETE')]))

    def test_events_are_escaped_to_one_line(self):
        self.web.to_come = [
            nothing, lambda web: web.add_event(
                'LOCK_COMPLETE', 'a\x1b[2J\n2026-11-20 [web]: \u202eDONE'),
            complete]
        _code, _out, err = self.lock()
        lines = err.splitlines()
        self.assertEqual(3, len(lines))
        self.assertIn(r'[a\x1b[2J\n2026-11-20 [web]: \u202eDONE]', lines[1])

    def test_events_of_earlier_lock_do_not_end_wait(self):
        self.web.reach('LOCK_COMPLETE')
        self.web.to_come = [nothing, nothing, nothing, complete]
        code, out, err = self.lock()
        self.assertEqual([], self.web.to_come)
        self.assertNotIn('event-1 ', err)

    def test_failed_lock_is_reported(self):
        self.web.to_come = [
            lambda web: web.reach('LOCK_FAILED', 'server: Nova said no')]
        code, out, err = self.lock()
        self.assertEqual((1, 'failed'), (code, self.result(out)))
        self.assertThat(err, matchers.EndsWith(
            'stack web: LOCK_FAILED: server: Nova said no. The stack stays '
            'locked. To retry, lock the stack again\n'))

    def test_lock_status_ends_wait_without_event(self):
        self.web.lock = lambda options: self.web.body.update(
            lock_status='LOCK_COMPLETE', lock_level='all')
        code, out, err = self.lock()
        self.assertEqual((0, 'locked'), (code, self.result(out)))

    def test_failed_lock_status_ends_wait_without_event(self):
        self.web.lock = lambda options: self.web.body.update(
            lock_status='LOCK_FAILED', lock_level='all',
            lock_status_reason='server: Nova said no')
        code, out, err = self.lock()
        self.assertEqual((1, 'failed'), (code, self.result(out)))
        self.assertEqual('stack web: LOCK_FAILED: server: Nova said no. The '
                         'stack stays locked. To retry, lock the stack '
                         'again\n', err)

    def test_wait_continues_while_lock_is_in_progress(self):
        def go_on(options):
            self.web.body.update(lock_status='LOCK_IN_PROGRESS',
                                 lock_level='all')

        self.web.lock = go_on
        self.web.to_come = [nothing] * 6 + [
            lambda web: web.body.update(lock_status='LOCK_COMPLETE')]
        code, out, err = self.lock()
        self.assertEqual([], self.web.to_come)
        self.assertEqual((0, 'locked'), (code, self.result(out)))

    def test_other_lock_ends_wait_for_unlock(self):
        self.web.unlock = lambda options: self.web.body.update(
            lock_status='LOCK_IN_PROGRESS', lock_level='all')
        code, out, err = self.call(lock.UnlockStack, '--wait', 'web')
        self.assertEqual(0, code)

    def test_unlock_without_complete_event_ends_wait(self):
        def unlock(options):
            self.web.add_event('UNLOCK_IN_PROGRESS')

        self.web.unlock = unlock
        code, out, err = self.call(lock.UnlockStack, '--wait', 'web')
        self.assertEqual(0, code)

    def test_rejected_lock_does_not_wait(self):
        self.web.refusal = 409, {'error': {'message': 'It is running.'}}
        code, out, err = self.lock()
        self.assertEqual((1, 'stack web: It is running.\n'), (code, err))

    def test_wait_for_unlock_prints_unlock_complete(self):
        code, out, err = self.call(lock.UnlockStack, '--wait', 'web')
        self.assertEqual(0, code)
        self.assertIn('[web]: UNLOCK_COMPLETE', err)


class StatusOverlayWaitTest(WaitTest):
    """The tests above with the state of the lock in stack_status."""

    def setUp(self):
        super().setUp()
        self.web.covers = True
