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

    def test_events_are_shown_apart_from_the_rows(self):
        self.web.to_come = [
            nothing, lambda web: web.add_event('LOCK_COMPLETE', 'server'),
            complete]
        code, out, err = self.lock()
        self.assertEqual((0, 'locked'), (code, self.result(out)))
        self.assertThat(err.splitlines(), matchers.MatchesListwise([
            matchers.MatchesRegex(r'2026-11-20 .* \[web\]: LOCK_IN_PROGRESS'),
            matchers.MatchesRegex(r'2026-11-20 .* \[server\]: LOCK_COMPLETE'),
            matchers.MatchesRegex(r'2026-11-20 .* \[web\]: LOCK_COMPLETE')]))

    def test_events_are_one_line_each_and_not_obeyed(self):
        self.web.to_come = [
            nothing, lambda web: web.add_event(
                'LOCK_COMPLETE', 'a\x1b[2J\n2026-11-20 [web]: \u202eDONE'),
            complete]
        _code, _out, err = self.lock()
        lines = err.splitlines()
        self.assertEqual(3, len(lines))
        self.assertIn(r'[a\x1b[2J\n2026-11-20 [web]: \u202eDONE]', lines[1])

    def test_events_of_an_earlier_lock_end_nothing(self):
        self.web.reach('LOCK_COMPLETE')
        self.web.to_come = [nothing, nothing, nothing, complete]
        code, out, err = self.lock()
        self.assertEqual([], self.web.to_come)
        self.assertNotIn('event-1 ', err)

    def test_a_failed_lock_fails(self):
        self.web.to_come = [
            lambda web: web.reach('LOCK_FAILED', 'server: Nova said no')]
        code, out, err = self.lock()
        self.assertEqual((1, 'failed'), (code, self.result(out)))
        self.assertThat(err, matchers.EndsWith(
            'stack web: LOCK_FAILED: server: Nova said no\n'))

    def test_the_status_counts_where_the_event_is_gone(self):
        self.web.lock = lambda options: self.web.body.update(
            lock_status='LOCK_COMPLETE', lock_level='all')
        code, out, err = self.lock()
        self.assertEqual((0, 'locked'), (code, self.result(out)))

    def test_so_does_that_of_a_lock_that_failed(self):
        self.web.lock = lambda options: self.web.body.update(
            lock_status='LOCK_FAILED', lock_level='all',
            lock_status_reason='server: Nova said no')
        code, out, err = self.lock()
        self.assertEqual((1, 'failed'), (code, self.result(out)))
        self.assertEqual('stack web: LOCK_FAILED: server: Nova said no\n',
                         err)

    def test_a_lock_that_goes_on_is_awaited(self):
        def go_on(options):
            self.web.body.update(lock_status='LOCK_IN_PROGRESS',
                                 lock_level='all')

        self.web.lock = go_on
        self.web.to_come = [nothing] * 6 + [
            lambda web: web.body.update(lock_status='LOCK_COMPLETE')]
        code, out, err = self.lock()
        self.assertEqual([], self.web.to_come)
        self.assertEqual((0, 'locked'), (code, self.result(out)))

    def test_a_lock_of_somebody_else_ends_the_wait_for_an_unlock(self):
        self.web.unlock = lambda options: self.web.body.update(
            lock_status='LOCK_IN_PROGRESS', lock_level='all')
        code, out, err = self.call(lock.UnlockStack, '--wait', 'web')
        self.assertEqual(0, code)

    def test_an_unlock_whose_end_is_in_no_event_is_over(self):
        def unlock(options):
            self.web.add_event('UNLOCK_IN_PROGRESS')

        self.web.unlock = unlock
        code, out, err = self.call(lock.UnlockStack, '--wait', 'web')
        self.assertEqual(0, code)

    def test_a_refused_lock_is_not_awaited(self):
        self.web.refusal = 409, {'error': {'message': 'It is running.'}}
        code, out, err = self.lock()
        self.assertEqual((1, 'stack web: It is running.\n'), (code, err))

    def test_unlock_is_awaited_too(self):
        code, out, err = self.call(lock.UnlockStack, '--wait', 'web')
        self.assertEqual(0, code)
        self.assertIn('[web]: UNLOCK_COMPLETE', err)


class CoveredTest(WaitTest):
    """The state of the lock shows in the status of the stack, too."""

    def setUp(self):
        super().setUp()
        self.web.covers = True
