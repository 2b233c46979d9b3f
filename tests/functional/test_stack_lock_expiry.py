# SPDX-License-Identifier: Apache-2.0

"""Tests of locks with an expiration time."""

import urllib.parse

from tests.functional import templates
from tests.functional import test_stack_lock_states
from tests.harness import request_times

FAR = '2099-12-24T18:00:00Z'


class ExpiryTestCase(test_stack_lock_states.StateTestCase):
    name = 'ending'
    template = templates.SCALING
    files = templates.FILES

    def shown_end(self):
        return self.client.show_stack(self.path)['lock_expires_at']


class ExpiryTest(ExpiryTestCase):
    settings = ExpiryTestCase.settings + (
        '[heat_extras]\nlock_max_days = 36500\n')

    def test_expiration_is_shown(self):
        self.assertIsNone(self.shown_end())
        self.assert_status(200, self.lock(
            level='stacks', expires_at='2099-12-24T18:59:59.1+01:00'))
        self.assertEqual(FAR, self.shown_end())
        nested = self.client.get('/stacks?show_nested=true').json()['stacks']
        self.assertEqual({FAR}, {
            stack['lock_expires_at'] for stack in nested
            if stack['stack_name'].startswith(self.name)})
        listed, = self.client.get('/locks').json()['locks']
        self.assertEqual(FAR, listed['expires_at'])
        for answer in self.update(), self.client.delete(self.path):
            self.assert_refused(answer)
            self.assertIn(f'Z until {FAR}. To unlock the stack',
                          answer.json()['error']['message'])

    def test_new_lock_has_given_expiration(self):
        for expires_at in FAR, None, FAR:
            self.assert_status(200, self.lock(level='stacks',
                                              expires_at=expires_at))
            self.assertEqual(expires_at, self.shown_end())
        self.assert_status(200, self.lock(level='stacks', replace=True))
        self.assertIsNone(self.shown_end())
        listed, = self.client.get('/locks').json()['locks']
        self.assertIsNone(listed['expires_at'])

    def listed(self, **params):
        query = urllib.parse.urlencode(params)
        return [lock['expires_at'] for lock
                in self.client.get('/locks?' + query).json()['locks']]

    def test_list_filters_by_expiration(self):
        self.lock(level='stacks', expires_at=FAR)
        for moment, wanted in ((FAR, []), ('2099-12-24T18:00:01Z', [FAR]),
                               ('2099-12-24T19:00:00.1+01:00', [FAR])):
            self.assertEqual(wanted, self.listed(expires_before=moment))
        self.lock(level='stacks', expires_at=None)
        self.assertEqual([], self.listed(
            expires_before='2100-01-01T00:00:00Z'))
        self.assertEqual([None], self.listed())

    def extend(self, client=None, **fields):
        return (client or self.client).post(
            self.path + '/actions', {'extend_lock': fields})

    def test_expiration_is_changed(self):
        self.assert_status(200, self.lock(level='stacks', reason='x'))
        before = self.client.show_stack(self.path), self.events()
        for end in FAR, '2098-12-24T18:00:00Z', None:
            self.assert_status(200, self.extend(expires_at=end))
            self.assertEqual(end, self.shown_end())
        self.assert_status(200, self.extend(expires_at=FAR,
                                            id=before[0]['lock_id']))
        self.assertEqual({**before[0], 'lock_expires_at': FAR},
                         self.client.show_stack(self.path))
        # Each extension has one event, and nothing else.
        self.assertEqual(4, len(self.events()) - len(before[1]))

    def test_invalid_extensions_are_rejected(self):
        other = '5c0e41d0-9f3a-4b0e-8a53-a0a5ab9b0d3e'
        self.assert_status(409, self.extend(expires_at=FAR))
        self.lock(level='stacks')
        for status, fields in (
                (409, {'expires_at': FAR, 'id': other}),
                (400, {'expires_at': FAR, 'id': None}),
                (400, {'expires_at': '2026-11-20T18:00:00Z'}),
                (400, {'expires_at': 'x'}), (400, {}),
                (400, {'id': other}), (400, {'expires_at': FAR, 'x': 1})):
            self.assert_status(status, self.extend(**fields))
        self.assertIsNone(self.shown_end())
        self.assert_status(403, self.extend(self.reader, expires_at=FAR))
        self.lock(self.admin, level='stacks', replace=True)
        self.assert_status(403, self.extend(expires_at=FAR))
        self.assert_status(200, self.extend(self.admin, expires_at=FAR))
        self.write_lock(action='UNLOCK', status='FAILED')
        answer = self.extend(self.admin, expires_at=None)
        self.assert_status(409, answer)
        self.assertIn('Unlock the stack first', answer.text)
        self.assertEqual(FAR, self.shown_end())

    def test_invalid_expirations_are_rejected(self):
        before = self.client.show_stack(self.path), self.events()
        for expires_at, message in (
            ('x', 'must be a time with its time zone'), (5, '5 must be a'),
            ('2026-12-24T18:00:00', 'with its time zone'),
            ('2026-11-20T18:00:00Z', 'is in the past'),
            (request_times.from_now(seconds=-1),
             'The time of the database is'),
            (request_times.from_now(days=36501), 'lock_max_days')):
            answer = self.lock(level='stacks', expires_at=expires_at)
            self.assert_status(400, answer)
            self.assertIn('Invalid expires_at: ', answer.text)
            self.assertIn(message, answer.text)
        self.assertEqual(before, (self.client.show_stack(self.path),
                                  self.events()))

    def test_expiration_is_rejected_if_unlock_is_impossible(self):
        answer = self.lock(self.admin, level='all', expires_at=FAR)
        self.assert_status(409, answer)
        self.assertIn('an administrator lock of level', answer.text)
        self.assert_status(200, self.lock(self.admin, level='stacks',
                                          expires_at=FAR))
        self.assert_status(200, self.unlock(self.admin))
        before = self.sandbox.sql('SELECT id, user_creds_id FROM stack')
        self.sandbox.sql('UPDATE stack SET user_creds_id = NULL')
        self.addCleanup(lambda: [self.sandbox.sql(
            'UPDATE stack SET user_creds_id = ? WHERE id = ?', credentials_id,
            id) for id, credentials_id in before])
        answer = self.lock(level='all', expires_at=FAR)
        self.assert_status(409, answer)
        self.assertIn('has no stored credentials', answer.text)
        self.assert_status(200, self.lock(level='stacks', expires_at=FAR))

    def add_bare_engine(self):
        """Add an engine without heat-extras."""
        self.addCleanup(self.sandbox.sql,
                        "DELETE FROM service WHERE engine_id = 'bare'")
        self.sandbox.sql(
            'INSERT INTO service (engine_id, id, host, hostname, "binary", '
            'topic, report_interval, created_at, updated_at) '
            "SELECT 'bare', 'bare', host, hostname, \"binary\", topic, 3600, "
            'created_at, updated_at FROM service LIMIT 1')

    def test_expiration_is_rejected_if_engine_lacks_locks(self):
        self.assert_status(200, self.lock(level='stacks'))
        self.add_bare_engine()
        for answer in (self.lock(level='stacks', expires_at=FAR),
                       self.extend(expires_at=FAR)):
            self.assert_status(409, answer)
            self.assertIn(' now: these engines run without the feature '
                          '"stack_lock" of heat-extras',
                          answer.json()['error']['message'])
            self.assertIn('(bare)', answer.text)
        # Requests that rely on no other engine are not rejected.
        self.assert_status(200, self.client.get('/locks'))
        lock_id = self.client.show_stack(self.path)['lock_id']
        self.assert_status(200, self.client.post(
            self.path + '/actions', {'unlock': {'id': lock_id}}))
