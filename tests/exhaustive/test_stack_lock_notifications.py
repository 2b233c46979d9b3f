# SPDX-License-Identifier: Apache-2.0

"""Each lock or protection action has an event and a notification."""

import json
import re

from testtools import matchers

from tests.functional import lock_pass_base
from tests.harness import request_times
from tests.harness import waiting

_TYPE = re.compile(r'"event_type": "orchestration\.stack\.([a-z_.]+)"')
_MESSAGE = re.compile(r'\{"message_id": .*"orchestration\.stack\..*')
_AT = r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ'
_BY = r'\. Requested by alice'


class EventsTest(lock_pass_base.PassTestCase):
    is_shared = False
    settings = '[oslo_messaging_notifications]\ndriver = log\n'

    def notifications(self):
        with open(self.sandbox.log_path) as source:
            return _TYPE.findall(source.read())

    def told(self, *types):
        """Wait for the notifications after the earlier notifications."""
        wanted = self.before + list(types)
        waiting.until_equal('the notifications', wanted, self.notifications)
        self.before = wanted

    def events(self):
        """Return those of the root itself, oldest first."""
        body = self.client.get(self.path + '/events?sort_dir=asc').json()
        return [(event['resource_status'], event['resource_status_reason'])
                for event in body['events']
                if self.path.endswith(event['physical_resource_id'])]

    def act(self, action, body):
        self.assert_status(200, self.client.post(
            self.path + '/actions', {action: body}))

    def test_each_lock_action_sends_event_and_notification(self):
        self.before = waiting.until(
            'the lock to be told', self.notifications,
            lambda events: events[-1:] == ['lock.end'])
        start = len(self.events())
        self.act('extend_lock', {'expires_at':
                                 request_times.from_now(minutes=9)})
        self.told('extend_lock.end')
        self.act('extend_lock', {'expires_at': None})
        self.told('extend_lock.end')
        self.assert_status(200, self.grant(reason='patch'))
        self.told('lock_pass.end')
        self.assert_status(200, self.revoke())
        self.told('lock_pass.end')
        self.act('protect', {'reason': 'the only copy'})
        self.told('protect.end')
        self.act('unprotect', None)
        self.told('unprotect.end')
        events = self.events()[start:]
        self.assertEqual(
            ['LOCK_COMPLETE'] * 4 + ['PROTECT_COMPLETE',
                                     'UNPROTECT_COMPLETE'],
            [status for status, _ in events], json.dumps(events))
        for (_, reason), wanted in zip(events, (
                f'The lock now expires at {_AT}{_BY}',
                f'The lock no longer expires{_BY}',
                'A lock pass was granted to the user with the ID '
                f'bob, for one update until {_AT}: patch',
                'The lock pass was revoked',
                f'Stack is protected from deletion: the only copy{_BY}',
                f'Stack is no longer protected from deletion{_BY}'),
                strict=True):
            self.assertRegex(reason, f'^{wanted}$')

    def test_rejected_requests_add_no_events(self):
        before = self.events()
        self.assert_status(409, self.client.post(
            self.path + '/actions', {'unprotect': None}))
        self.assert_status(409, self.revoke())
        self.assert_status(400, self.client.post(
            self.path + '/actions',
            {'extend_lock': {'expires_at': '1999-01-01T00:00:00Z'}}))
        self.assertEqual(before, self.events())

    def test_protect_does_not_count_as_operation_after_unlock(self):
        # A protection is none.
        self.assert_status(200, self.unlock())
        self.act('protect', None)
        done = self.sandbox.run('heat-extras-status', 'upgrade', 'check',
                                '--json')
        checks = {each['check']: each['details']
                  for each in json.loads(done.stdout)['checks']}
        self.assertNotIn('after a later operation', checks['Locks'])
        self.act('unprotect', None)


class NotificationsTest(lock_pass_base.PassTestCase):
    """The notifications that a listener receives, as documented."""

    is_shared = False
    template = lock_pass_base.LONE
    files = {}
    settings = ('[oslo_messaging_notifications]\ndriver = log\n'
                '[DEFAULT]\nperiodic_interval = 2\n')

    def setUp(self):
        super().setUp()
        # The creation, and the lock.
        self.skipped = 4
        waiting.until('the lock to be told', self._all,
                      lambda value: len(value) == self.skipped)

    def _all(self):
        with open(self.sandbox.log_path) as source:
            lines = _MESSAGE.findall(source.read())
        # After an error oslo.log writes more than the message.
        notifications = [json.JSONDecoder().raw_decode(line)[0]
                         for line in lines]
        return [each for each in notifications if self.path.endswith(
            each['payload']['stack_identity'])]

    def assert_heard(self, *wanted):
        """Check all notifications since: type, priority and user."""
        waiting.until_equal('what is told', list(wanted), lambda: [
            (each['event_type'].removeprefix('orchestration.stack.'),
             each['priority'], each['payload']['user_identity'])
            for each in self._all()[self.skipped:]])
        self.skipped += len(wanted)

    def _end_soon(self):
        self.assert_status(200, self.client.post(
            self.path + '/actions', {'extend_lock': {
                'expires_at': request_times.from_now(seconds=3)}}))

    def test_expiration_is_notified_and_rejections_are_not(self):
        self.assert_refused(self.update())
        self.assert_refused(self.client.delete(self.path))
        self._end_soon()
        self.assert_heard(('extend_lock.end', 'INFO', 'alice'),
                          # Without a request of a user.
                          ('unlock.start', 'INFO', None),
                          ('unlock.end', 'INFO', None))
        self.assertEqual(
            ('UNLOCK_COMPLETE', 'The lock has expired'),
            tuple(self._all()[-1]['payload'][name]
                  for name in ('state', 'state_reason')))

    def test_expiration_is_notified_with_unreadable_credentials(self):
        # As after a change of auth_encryption_key. They are for event sinks.
        self.sandbox.sql("UPDATE user_creds SET password = 'x', trust_id = "
                         "'x', decrypt_method = 'cryptography_decrypt_v1'")
        self.sandbox.sql(
            "UPDATE raw_template SET environment = json_set(environment, "
            "'$.event_sinks', json(?))",
            json.dumps([{'type': 'zaqar-queue', 'target': 'events'}]))
        self._end_soon()
        self.assert_heard(('extend_lock.end', 'INFO', 'alice'),
                          ('unlock.start', 'INFO', None),
                          ('unlock.end', 'INFO', None))

    def test_update_with_pass_is_notified_with_pass_user(self):
        self.assert_status(200, self.grant(reason='patch'))
        self.assert_status(202, self.change(self.bob))
        self.end('UPDATE_COMPLETE')
        self.assert_heard(('lock_pass.end', 'INFO', 'alice'),
                          ('update.start', 'INFO', 'bob'),
                          ('update.end', 'INFO', 'bob'))

    def test_lock_actions_during_update_add_only_in_progress_events(self):
        self.assert_status(200, self.grant())
        self.assert_status(202, self.change(self.bob, wait=self.long))
        self.client.wait_for_resource(self.path, 'test', 'UPDATE_IN_PROGRESS')
        for action, body in (('protect', None), ('unprotect', None),
                             ('extend_lock', {'expires_at': None}),
                             ('unlock', None)):
            self.assert_status(200, self.client.post(
                self.path + '/actions', {action: body}))
        self.assertEqual('UPDATE_IN_PROGRESS', self.status())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.assert_heard(('lock_pass.end', 'INFO', 'alice'),
                          ('update.start', 'INFO', 'bob'),
                          ('protect.end', 'INFO', 'alice'),
                          ('unprotect.end', 'INFO', 'alice'),
                          ('extend_lock.end', 'INFO', 'alice'),
                          ('unlock.start', 'INFO', 'alice'),
                          ('unlock.end', 'INFO', 'alice'),
                          ('update.end', 'INFO', 'bob'))
        statuses = [status for name, status, _ in self.events()
                    if name == self.name]
        began = statuses.index('UPDATE_IN_PROGRESS')
        self.assertEqual(
            ['PROTECT_IN_PROGRESS', 'UNPROTECT_IN_PROGRESS',
             'LOCK_IN_PROGRESS', 'UNLOCK_IN_PROGRESS', 'UNLOCK_IN_PROGRESS',
             'UPDATE_COMPLETE'], statuses[began + 1:])

    def test_failed_update_is_notified_as_error(self):
        self.assert_status(200, self.grant())
        self.assert_status(202, self.change(self.bob, is_bad=True))
        self.end('UPDATE_FAILED')
        self.assert_heard(('lock_pass.end', 'INFO', 'alice'),
                          ('update.start', 'INFO', 'bob'),
                          ('update.error', 'ERROR', 'bob'))


class EventLimitTest(lock_pass_base.PassTestCase):
    """Heat's limit of events per stack applies to lock events."""

    is_shared = False
    template = {**lock_pass_base.LONE, 'resources': {
        'member': {'type': 'member.yaml'}}}
    settings = ('[DEFAULT]\nmax_events_per_stack = 20\n'
                'event_purge_batch_size = 2\n')

    def _numbers(self):
        return dict(self.sandbox.sql(
            'SELECT name, COUNT(*) FROM event JOIN stack '
            'ON stack.id = event.stack_id GROUP BY name'))

    def test_lock_events_obey_event_limit(self):
        for _ in range(20):
            self.assert_status(200, self.unlock())
            self.assert_status(200, self.lock(level='stacks'))
        for _ in range(20):
            self.action('protect')
            self.action('unprotect')
        numbers = self._numbers()
        self.assertEqual(2, len(numbers))
        self.assertThat(numbers.values(), matchers.AllMatch(
            matchers.LessThan(24)))
        # The newest events are kept.
        self.assertEqual('UNPROTECT_COMPLETE', self.events()[-1][1])


class PassMetricsTest(lock_pass_base.PassTestCase):
    is_shared = False
    settings = '[DEFAULT]\nperiodic_interval = 2\n'

    def samples(self):
        done = self.sandbox.run('heat-extras-manage', 'metrics')
        return dict(re.findall(r'^heat_extras_(pass\w+\{.*?\}) (\d+)$',
                               done.stdout, re.MULTILINE))

    def assert_counted(self, granted, used, revoked, expired, is_granted=0,
                       is_used=0):
        self.assertEqual({
            'pass_changes_total{change="granted"}': granted,
            'pass_changes_total{change="used"}': used,
            'pass_changes_total{change="revoked"}': revoked,
            'pass_changes_total{change="expired"}': expired,
            'passes{state="granted"}': is_granted,
            'passes{state="used"}': is_used},
            {name: int(value) for name, value in self.samples().items()})

    def test_metrics_count_passes_by_outcome(self):
        self.assert_counted(0, 0, 0, 0)
        self.assert_status(200, self.grant())
        self.assert_counted(1, 0, 0, 0, is_granted=1)
        self.assert_status(200, self.revoke())
        self.assert_status(200, self.grant())
        self.assert_status(202, self.change(self.bob, wait=self.long))
        waiting.until('the pass to be used',
                      lambda: self.shown_pass()['used_at'])
        self.assert_counted(2, 1, 1, 0, is_used=1)
        self.end('UPDATE_COMPLETE')
        self.assert_status(200, self.grant(
            expires_at=request_times.from_now(seconds=3)))
        waiting.until('the pass to be forgotten', lambda: self.sandbox.sql(
            'SELECT count(*) FROM heat_extras_guard '
            'WHERE pass_granted_at IS NOT NULL')[0][0] == 0)
        self.assert_counted(3, 1, 1, 1)
        events = self.client.get(self.path + '/events').json()['events']
        self.assertIn('The lock pass has expired before it was used', {
            event['resource_status_reason'] for event in events})
