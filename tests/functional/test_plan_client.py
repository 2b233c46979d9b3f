# SPDX-License-Identifier: Apache-2.0

"""``openstack stack plan`` against a whole Heat."""

import json
import os

import fixtures

from tests.functional import plan_cases
from tests.functional import plan_truth


class PlanClientTest(plan_truth.PlanTestCase):

    def setUp(self):
        super().setUp()
        self.directory = self.useFixture(fixtures.TempDir()).path

    def write(self, name, document):
        path = os.path.join(self.directory, name)
        with open(path, 'w') as target:
            json.dump(document, target)
        return path

    def start(self, name):
        """Create a stack of files; return the path of its template."""
        before, self.after = plan_cases.nested(), plan_cases.nested(
            value='two')
        self.create(name, before)
        self.write('m.yaml', {**plan_cases.VERSION, **plan_cases.MEMBER})
        return self.write('before.yaml', before['template'])

    def run_plan(self, *arguments):
        return self.client.openstack('stack', 'plan', *arguments)

    def test_exit_status_and_tree(self):
        same = self.start('web')
        done = self.run_plan('web', '-t', same)
        self.assertEqual((0, 'Plan: 0 to add, 0 to update, 0 to replace, 0 to '
                          'remove; 6 unchanged.\n'),
                         (done.returncode, done.stdout), done.stderr)
        other = self.write('after.yaml', self.after['template'])
        done = self.run_plan('web', '-t', other)
        self.assertEqual(2, done.returncode, done.stderr)
        self.assertEqual([
            'web', f'  ~    n (file://{self.directory}/m.yaml)',
            '         property p changes',
            '    ~    s (OS::Heat::TestResource)',
            '           property value changes'],
            done.stdout.splitlines()[:5])
        done = self.run_plan('web', '-t', other, '-f', 'json')
        self.assertEqual(2, done.returncode, done.stderr)
        self.assertEqual(
            ['alone', 'alone/s', 'alone/t', 'n', 'n/s', 'n/t'],
            [entry['path'] for entry in json.loads(done.stdout)['plan']])

    def test_what_is_rejected(self):
        same = self.start('stopped')
        self.client.openstack('stack', 'lock', 'stopped', '--level', 'stacks')
        self.addCleanup(self.client.openstack, 'stack', 'unlock', 'stopped')
        done = self.run_plan('stopped', '-t', same)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertIn('Stopped by StackLocked: ', done.stdout)
        done = self.run_plan('nowhere', '-t', same)
        self.assertEqual(1, done.returncode)
        self.assertIn('nowhere', done.stderr)
