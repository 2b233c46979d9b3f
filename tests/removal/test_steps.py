# SPDX-License-Identifier: Apache-2.0

"""The steps of install/uninstall.rst, with stacks in use."""

import pathlib

import testtools

from tests.functional import base
from tests.harness import environment
from tests.removal import test_removal

PROCESS_FAULTS = pathlib.Path(
    __file__).parents[1] / 'harness' / 'process_faults'
RELEASED = {'heat_template_version': '2018-08-31', 'resources': {
    'test': {'type': 'OS::Heat::TestResource'}}}


class UninstallStepsTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.sandbox = self.useFixture(base.Sandbox(['--features', 'all']))
        self.client = self.sandbox.client()
        self.guarded = self.client.create_stack(
            'guarded', test_removal.GUARDED,
            files=test_removal.GUARDED_FILES)
        self.locked = self.client.create_stack('locked', RELEASED)
        self.act(self.locked, 'lock', {'level': 'stacks'})

    def act(self, path, action, details=None):
        answer = self.client.post(path + '/actions', {action: details})
        self.assertEqual(200, answer.status_code, answer.text)

    def restart(self, features=''):
        self.sandbox.options[1] = features
        self.sandbox.restart()
        self.client = self.sandbox.client()

    def manage(self, *words, status=0):
        done = self.sandbox.run('heat-extras-manage', *words)
        text = done.stdout + done.stderr
        self.assertEqual(status, done.returncode, text)
        return text

    def update(self, parameters, status=202):
        """Update the guarded stack, and wait for the end."""
        answer = self.client.patch(self.guarded, {'parameters': parameters})
        self.assertEqual(status, answer.status_code, answer.text)
        if status == 202:
            self.client.wait_for_stack(self.guarded, ['UPDATE_COMPLETE'])

    def test_steps_of_uninstall_page(self):
        self.unlock()
        self.turn_off()
        self.take_the_words_out()
        self.take_the_columns_out()
        self.uninstall()

    def unlock(self):
        self.assertIn('locked', self.manage('list-locks', '--format', 'csv'))
        self.assertIn('1 locked stack', self.manage(
            'db_downgrade', '--dry-run', status=1))
        self.act(self.locked, 'unlock')
        self.assertNotIn('LOCK_', self.manage('list-locks'))
        self.update({'value': 'two'}, status=400)

    def turn_off(self):
        # The sandbox also removes the filter from the paste file.
        self.restart()
        self.assertIn('the filter of heat-extras',
                      self.manage('paste', status=1))
        self.update({'value': 'two'})

    def take_the_words_out(self):
        # The engine is running without features, so it does not reject this.
        self.assertIn('rewrite-templates', self.manage(
            'db_downgrade', status=1))
        self.assertIn('of stack guarded (', self.manage(
            'rewrite-templates', '--dry-run'))
        self.assertIn('updatable', self.template())
        self.manage('rewrite-templates')
        for words in ('updatable', 'allow'):
            self.assertNotIn(words, self.template())

    def take_the_columns_out(self):
        self.manage('db_downgrade', '--dry-run')
        self.manage('db_downgrade')
        self.assertEqual('none', self.manage('db_version').split()[0])
        self.update({})

    def uninstall(self):
        with environment.Environment(
                PROCESS_FAULTS, HEAT_EXTRAS_FAULT='package_missing'):
            self.restart()
        self.update({})
        answer = self.client.post('/stacks', {
            'stack_name': 'new', 'template': test_removal.GUARDED,
            'files': test_removal.GUARDED_FILES})
        self.assertIn("Invalid key 'updatable'", answer.text)
        for path in (self.guarded, self.locked):
            self.assertEqual(204, self.client.delete(path).status_code)
            self.client.wait_for_stack(path, ['DELETE_COMPLETE'])

    def template(self):
        return self.client.get(self.guarded + '/template').text
