# SPDX-License-Identifier: Apache-2.0

"""Tests of lists, counts, metrics and log lines for operators."""

import json
import os
import re

from tests.functional import templates
from tests.functional import test_stack_lock
from tests.harness import waiting

SECONDS = 60


class ObservabilityTest(test_stack_lock.StackLockTestCase):

    template = templates.SCALING
    files = templates.FILES
    # Some metrics are counted for a whole Heat.
    is_shared = False

    def manage(self, *words):
        """Run heat-extras-manage on the database of the sandbox."""
        done = self.sandbox.run('heat-extras-manage', *words)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    def refusals(self):
        """Return the counts of this test's stack tree, by operation."""
        rows = json.loads(self.manage('list-refusals', '--format', 'json'))
        return {(row['stack_name'], row['event'], row['operation']):
                row['count'] for row in rows
                if row['stack_name'].startswith(self.name)}

    def wait_for_refusals(self, wanted):
        # Signals are processed after the response.
        waiting.until_equal('the refusals', wanted, self.refusals)

    def log(self, start):
        with open(self.sandbox.log_path) as source:
            source.seek(start)
            return source.read().splitlines()

    def test_rejections_are_counted_per_stack_and_operation(self):
        self.assertEqual({}, self.refusals())
        self.lock(level='stacks')
        self.assert_refused(self.update())
        self.assert_refused(self.update())
        self.assert_refused(self.client.delete(self.path))
        for _ in range(2):
            self.client.post(self.path + '/resources/scale_up/signal')
        self.wait_for_refusals({
            (self.name, 'refused', 'update'): 2,
            (self.name, 'refused', 'delete'): 1,
            (self.name, 'ignored', 'signal'): 2})
        metrics = self.manage('metrics')
        self.assertIn('heat_extras_locked_stacks{level="stacks",'
                      'state="LOCK_COMPLETE",rank="member"} 1\n', metrics)
        self.assertIn('heat_extras_engines_without_lock 0\n', metrics)

    def test_rejection_is_counted_for_nested_stack(self):
        self.lock(level='stacks')
        group = self.client.get(self.path + '/resources/group').json()
        nested, = (link['href'] for link in group['resource']['links']
                   if link['rel'] == 'nested')
        self.assert_status(409, self.client.delete(nested))
        (name, event, operation), = self.refusals()
        self.assertTrue(name.startswith(self.name + '-group-'), name)
        self.assertEqual(('refused', 'delete'), (event, operation))

    def test_log_lines_carry_the_request_id_and_the_stack_id(self):
        stack_id = self.path.rpartition('/')[2]
        start = os.path.getsize(self.sandbox.log_path)
        answers = [self.lock(level='stacks', reason='db move'),
                   self.update(), self.unlock()]
        lines = [line for line in self.log(start)
                 if 'heat_extras.stack_lock' in line and stack_id in line]
        request_ids = [re.search(r'req-[-0-9a-f]{36}', line).group()
                       for line in lines]
        self.assertEqual(
            [answer.headers['X-Openstack-Request-Id']
             for answer in answers], request_ids, lines)
        for line, words in zip(lines, ('Locked', 'rejected', 'Unlocking'),
                               strict=True):
            self.assertIn(words, line)
        # The log does not contain texts of users.
        self.assertNotIn('db move', '\n'.join(lines))
