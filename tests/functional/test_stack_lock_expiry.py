# SPDX-License-Identifier: Apache-2.0

"""Locks that have an end; on a live Heat."""

import contextlib
import datetime
import os
import sqlite3

from tests.functional import templates
from tests.functional import test_stack_lock_states

FAR = '2099-12-24T18:00:00Z'


def after(**time):
    """Return a moment from now on, as requests write it."""
    moment = datetime.datetime.now(datetime.timezone.utc)
    return (moment + datetime.timedelta(**time)).isoformat()


class ExpiryTestCase(test_stack_lock_states.StateTestCase):
    name = 'ending'
    template = templates.SCALING
    files = templates.FILES

    def database(self, statement, *values):
        path = os.path.join(self.sandbox.state_dir, 'heat.sqlite3')
        with contextlib.closing(sqlite3.connect(path, timeout=30)
                                ) as connection, connection:
            return connection.execute(statement, values).fetchall()

    def shown_end(self):
        return self.client.show_stack(self.path)['lock_expires_at']


class ExpiryTest(ExpiryTestCase):
    settings = ExpiryTestCase.settings + (
        '[heat_extras]\nlock_max_days = 36500\n')

    def test_an_end_is_shown(self):
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
            self.assertIn(f'Z until {FAR}. To lift it',
                          answer.json()['error']['message'])

    def test_a_new_lock_has_the_end_that_it_names(self):
        for expires_at in FAR, None, FAR:
            self.assert_status(200, self.lock(level='stacks',
                                              expires_at=expires_at))
            self.assertEqual(expires_at, self.shown_end())
        self.assert_status(200, self.lock(level='stacks'))
        self.assertIsNone(self.shown_end())
        listed, = self.client.get('/locks').json()['locks']
        self.assertIsNone(listed['expires_at'])

    def test_what_is_no_end(self):
        before = self.client.show_stack(self.path), self.events()
        for expires_at, said in (
                ('x', 'wanted a moment with its zone'), (5, 'found 5'),
                ('2026-12-24T18:00:00', 'with its zone'),
                ('2026-11-20T18:00:00Z', 'still to come'),
                (after(seconds=-1), 'by the clock of the database'),
                (after(days=36501), 'lock_max_days')):
            answer = self.lock(level='stacks', expires_at=expires_at)
            self.assert_status(400, answer)
            self.assertIn('Invalid expires_at: found ', answer.text)
            self.assertIn(said, answer.text)
        self.assertEqual(before, (self.client.show_stack(self.path),
                                  self.events()))

    def test_what_heat_could_not_release_has_no_end(self):
        answer = self.lock(self.admin, level='all', expires_at=FAR)
        self.assert_status(409, answer)
        self.assertIn('rank admin', answer.text)
        self.assert_status(200, self.lock(self.admin, level='stacks',
                                          expires_at=FAR))
        self.assert_status(200, self.unlock(self.admin))
        before = self.database('SELECT id, user_creds_id FROM stack')
        self.database('UPDATE stack SET user_creds_id = NULL')
        self.addCleanup(lambda: [self.database(
            'UPDATE stack SET user_creds_id = ? WHERE id = ?', found, id)
            for id, found in before])
        answer = self.lock(level='all', expires_at=FAR)
        self.assert_status(409, answer)
        self.assertIn('keeps no credentials', answer.text)
        self.assert_status(200, self.lock(level='stacks', expires_at=FAR))

    def test_an_engine_without_ends_is_in_the_way(self):
        rows = self.database('SELECT engine_id FROM heat_extras_capability '
                             "WHERE capability = 'lock_end'")
        self.addCleanup(lambda: [self.database(
            'INSERT INTO heat_extras_capability VALUES (?, ?)', id,
            'lock_end') for id, in rows])
        self.database('DELETE FROM heat_extras_capability '
                      "WHERE capability = 'lock_end'")
        answer = self.lock(level='stacks', expires_at=FAR)
        self.assert_status(409, answer)
        self.assertIn('No lock can have an end now', answer.text)
        self.assert_status(200, self.lock(level='stacks'))
