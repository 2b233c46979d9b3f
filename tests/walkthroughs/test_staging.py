# SPDX-License-Identifier: Apache-2.0

"""``tools/staging.py`` reports which features of a cloud work."""

import os
import pathlib
import sys

from heat_extras.sandbox import clients
from tests.functional import base
from tests.harness import command
from tests.harness import environment
from tests.harness import forkserver
from tests.harness import ports

ROOT = pathlib.Path(__file__).parents[2]
PROCESS_FAULTS = ROOT / 'tests' / 'harness' / 'process_faults'
SECONDS = 900


class StagingTestCase(base.TestCase):

    def trial(self, *words, url=None):
        """Run the script like an operator, with credentials in OS_*."""
        variables = clients.openstack_environment(
            url or self.sandbox.url, self.client.token)
        programs = self.useFixture(forkserver.Programs(variables))
        variables['PATH'] = programs.path + os.pathsep + variables['PATH']
        return command.run([sys.executable, ROOT / 'tools' / 'staging.py',
                            *words], variables, seconds=SECONDS)

    def stacks(self):
        return self.client.get('/stacks').json()['stacks']


class StagingTest(StagingTestCase):

    def test_all_features_pass_and_all_stacks_are_deleted(self):
        done = self.trial()
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertNotIn('FAIL', done.stdout)
        for words in ('An update is rejected.', 'A deletion is rejected.',
                      'The signal has no effect.', 'The signal has an effect.',
                      'An update of the parameter is rejected.',
                      'An update that removes the resource is rejected.',
                      'The resource was replaced.', '4 of 4 features'):
            self.assertIn(words, done.stdout)
        self.assertEqual([], self.stacks())

    def test_no_test_is_run_if_cloud_is_unavailable(self):
        done = self.trial(
            url='http://127.0.0.1:%d/v1/demo' % ports.free_port())
        self.assertEqual(2, done.returncode, done.stdout)
        self.assertIn('No test was run: openstack stack list: ',
                      done.stderr)


class WithoutPackageTest(StagingTestCase):
    """The report for Heat without the package heat-extras."""

    options = ('--features', '')
    is_shared = False

    @classmethod
    def setUpClass(cls):
        with environment.Environment(
                PROCESS_FAULTS, HEAT_EXTRAS_FAULT='package_missing'):
            super().setUpClass()

    def test_all_features_fail_and_all_stacks_are_deleted(self):
        done = self.trial()
        self.assertEqual(1, done.returncode, done.stdout + done.stderr)
        failures = [line for line in done.stdout.splitlines()
                    if line.startswith('FAIL')]
        for words, line in zip((
                'this Heat does not know stack locks',
                "Invalid key 'updatable' for parameter (salt)",
                'resources.word.update_policy: Unknown Property allow',
                'stack guard list'), failures, strict=True):
            self.assertIn(words, line)
        self.assertIn('0 of 4 features', done.stdout)
        self.assertEqual([], self.stacks())
