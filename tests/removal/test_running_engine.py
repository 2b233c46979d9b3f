# SPDX-License-Identifier: Apache-2.0

"""The removal of heat-extras is rejected while an engine is running."""

import re
import time

import testtools

from tests.functional import base
from tests.removal import test_removal

INTERVAL = 4
SETTINGS = f'[DEFAULT]\nperiodic_interval = {INTERVAL}\n'


class RunningEngineTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.sandbox = self.useFixture(base.Sandbox(
            ['--features', 'all'], SETTINGS))
        self.client = self.sandbox.client()
        self.path = self.client.create_stack(
            'web', test_removal.GUARDED, files=test_removal.GUARDED_FILES)

    def manage(self, *words):
        done = self.sandbox.run('heat-extras-manage', *words)
        return done.returncode, done.stdout + done.stderr

    def refused(self, *words):
        status, text = self.manage(*words)
        self.assertEqual(1, status, text)
        self.assertIn('Found 1 running engine with features', text)
        return text

    def template(self):
        return self.client.get(self.path + '/template').json()

    def test_removal_is_rejected_while_engine_is_running(self):
        for command in ('db_downgrade', 'rewrite-templates'):
            self.assertRegex(self.refused(command),
                             r'\([0-9a-f-]{36}\), features all, last seen')
            status, text = self.manage(command, '--dry-run')
            self.assertEqual(1, status, text)
            self.assertIn('the command would stop here: Found 1 running '
                          'engine', text)
            self.assertIn('of stack web (', text)
        self.assertEqual(test_removal.GUARDED, self.template())
        answer = self.client.patch(self.path, {'parameters': {}})
        self.assertEqual(202, answer.status_code, answer.text)
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_removal_is_possible_after_engine_is_stopped(self):
        self.sandbox.stop()
        status, text = self.manage('rewrite-templates')
        self.assertEqual(0, status, text)
        self.assertIn('of stack web (', text)
        status, text = self.manage('db_downgrade')
        self.assertEqual(0, status, text)

    def test_removal_is_rejected_until_killed_engine_is_down(self):
        self.sandbox.kill()
        text = self.refused('rewrite-templates')
        seconds = int(re.search(r'wait (\d+) s', text)[1])
        self.assertLessEqual(seconds, 2 * INTERVAL + 1, text)
        time.sleep(seconds)
        status, text = self.manage('rewrite-templates')
        self.assertEqual(0, status, text)

    def test_force_removes_columns_while_engine_is_running(self):
        self.assertEqual(0, self.manage('rewrite-templates', '--force')[0])
        status, text = self.manage('db_downgrade', '--force')
        self.assertEqual(0, status, text)
        self.assertEqual(500, self.client.get(self.path).status_code)
