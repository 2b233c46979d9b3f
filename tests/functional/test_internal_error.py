# SPDX-License-Identifier: Apache-2.0

"""Tests of the messages of unexpected errors."""

import re

from tests.functional import test_stack_lock

# The tables of the locks, and of the resources that they protect.
_LOCKS, _RESOURCES = 'heat_extras_guard', 'heat_extras_protection'
_INSIDE = ('sqlite', 'SELECT', 'INSERT', _LOCKS, _RESOURCES, 'Traceback',
           'OperationalError')


class UnexpectedErrorTest(test_stack_lock.StackLockTestCase):
    is_shared = False

    def remove(self, table):
        self.sandbox.sql(f'ALTER TABLE {table} RENAME TO elsewhere')
        self.addCleanup(self.sandbox.sql,
                        f'ALTER TABLE elsewhere RENAME TO {table}')

    def check(self, text):
        """Check the message for users, and the log line."""
        for words in _INSIDE:
            self.assertNotIn(words, text)
        request, = re.findall(r'with request (req-[0-9a-f-]+)', text)
        with open(self.sandbox.log_path) as log:
            self.assertIn(f'Unexpected error, request {request}', log.read())

    def test_api_error_names_request(self):
        self.remove(_LOCKS)
        answer = self.assert_status(500, self.lock(level='stacks'))
        message = answer.json()['error']['message']
        self.check(message)
        self.assertEqual('lock', message.partition(':')[0])
        self.assertEqual('GuardFailed', answer.json()['error']['type'])

    def test_status_reason_and_event_name_request(self):
        self.remove(_RESOURCES)
        self.assert_status(200, self.lock(level='all'))
        stack = self.client.wait_for_lock(self.path, 'LOCK_FAILED')
        self.check(stack['lock_status_reason'])
        self.check(self.events()[-1][2])
