# SPDX-License-Identifier: Apache-2.0

"""Tests of the threat model in the documentation."""

import csv
import io
import json
import os

from tests.functional import test_stack_lock

# A formula, direction of writing, line breaks, quotes, formats, markup.
NASTY = '=1+1\u202e\r\nCRITICAL fake "\'; DROP TABLE stack; -- %(x)s {0} <b>'


class SecurityTest(test_stack_lock.StackLockTestCase):

    def manage(self, *words):
        return self.sandbox.run('heat-extras-manage', *words)

    def test_stack_user_cannot_lock_or_unlock(self):
        stack_user = self.sandbox.client('web-user', 'heat_stack_user')
        self.assert_status(403, self.lock(stack_user))
        self.lock(level='stacks')
        self.assert_status(403, self.unlock(stack_user))
        self.assertEqual(
            'stacks', self.client.show_stack(self.path)['lock_level'])

    def test_member_cannot_take_over_administrator_lock(self):
        self.lock(self.admin, level='stacks', reason='keep out')
        for body in ({'lock': {'level': 'stacks', 'reason': 'mine'}},
                     {'lock': None}, {'unlock': None}):
            self.assert_status(403, self.client.post(
                self.path + '/actions', body))
        stack = self.client.show_stack(self.path)
        self.assertEqual(('keep out', 'ops'),
                         (stack['lock_reason'], stack['locked_by']))

    def test_reason_is_only_shown_and_cannot_forge_log(self):
        start = os.path.getsize(self.sandbox.log_path)
        self.assert_status(200, self.lock(level='stacks', reason=NASTY))
        self.assertIn(NASTY, self.assert_refused(self.update()))
        self.assertEqual(NASTY,
                         self.client.show_stack(self.path)['lock_reason'])
        self.unlock()
        with open(self.sandbox.log_path, newline='') as source:
            source.seek(start)
            self.assertNotIn('CRITICAL fake', source.read())

    def test_reason_is_escaped_on_terminal(self):
        self.lock(level='stacks', reason=NASTY)
        # A reason from before control sequences were rejected.
        self.sandbox.sql('UPDATE heat_extras_guard SET reason = ? || reason',
                         '\x1b[2J')
        for output_format, *more in (
                ('table', '-c', 'reason', '--max-width', '500'), ('csv',),
                ('json',)):
            text = self.manage('list-locks', '-f', output_format,
                               *more).stdout
            self.assertIn('CRITICAL fake', text)
            for letter in '\x1b\u202e\r':
                self.assertNotIn(letter, text)
        self.assertEqual('\x1b[2J' + NASTY, [
            row['reason'] for row in json.loads(text)
            if row['stack_id'] in self.path][0])

    def test_reason_is_not_formula_in_csv(self):
        self.lock(level='stacks', reason=NASTY)
        text = self.manage('list-locks', '--format', 'csv').stdout
        cell, = (row['reason'] for row in csv.DictReader(
            io.StringIO(text), escapechar='\\')
            if row['stack_id'] in self.path)
        self.assertEqual("'=1+1\\u202e\\r\\nCRITICAL", cell[:23])

    def test_reset_lock_argument_is_not_sql(self):
        self.lock(level='stacks')
        done = self.manage('reset-lock', "' OR '1'='1")
        self.assertEqual(1, done.returncode)
        self.assertEqual('LOCK_COMPLETE', self.client.lock_status(self.path))

    def test_token_is_not_logged(self):
        client = self.sandbox.client('needle-in-the-log')
        start = os.path.getsize(self.sandbox.log_path)
        client.post(self.path + '/actions', {'lock': {'level': 'stacks'}})
        self.unlock(client)
        with open(self.sandbox.log_path) as source:
            source.seek(start)
            lines = [line for line in source if 'heat_extras' in line]
        self.assertNotIn(client.token, ''.join(lines))

    def test_error_for_other_project_contains_no_names(self):
        self.lock(level='stacks', reason='private words')
        url = self.sandbox.url.rpartition('/')[0] + '/other'
        other = type(self.client)(url, 'mallory', 'member')
        for answer in (other.get(self.path), other.delete(self.path),
                       other.post(self.path + '/actions',
                                  {'unlock': None})):
            self.assertEqual(404, answer.status_code)
            self.assertNotIn('alice', answer.text)
            self.assertNotIn('private', answer.text)
