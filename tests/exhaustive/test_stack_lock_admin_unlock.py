# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage unlock``: locks that users cannot remove."""

import json
import pathlib

import fixtures

from tests.functional import base
from tests.functional import lockable_resources
from tests.functional import templates
from tests.functional import test_stack_lock
from tests.harness import environment
from tests.harness import process
from tests.harness import waiting


class AdminUnlockTestCase(lockable_resources.TestCase):
    """Commands of the cloud operator."""

    def unlock_by_hand(self, *words):
        done = self.manage('unlock', *words)
        return done.returncode, done.stdout, done.stderr

    def bolt(self):
        self.assert_status(200, self.lock(self.admin, level='all'))
        self._wait(self.path, 'LOCK_COMPLETE')

    def stack_id(self):
        return self.path.rpartition('/')[2]

    def reason(self):
        return [reason for name, status, reason in self.events()
                if (name, status) == (self.name, 'UNLOCK_COMPLETE')][-1]


class ReleaseMixin:
    """Tests for both engines of Heat."""

    def test_unlock_releases_resources(self):
        self.bolt()
        status, output, error = self.unlock_by_hand(self.name)
        self.assertEqual((0, f'Stack {self.name} ({self.stack_id()}) '
                          'unlocked.\n', ''), (status, output, error))
        self.assertEqual({'open'}, set(self.states().values()))
        self.assertIn('by a cloud operator', self.reason())
        self.assertEqual('UNLOCK_COMPLETE',
                         self.client.lock_status(self.path))
        self.assert_status(202, self.update())

    def test_unlock_reports_resources_released_by_others(self):
        self.bolt()
        (self.place / self.ids['door']).write_text('open')
        self.assertEqual(0, self.unlock_by_hand(self.stack_id())[0])
        self.assertIn('1 resource had been unlocked by another user or '
                      'program: door', self.reason())


class AdminUnlockTest(ReleaseMixin, AdminUnlockTestCase):
    def test_dry_run_lists_resources_and_changes_nothing(self):
        self.bolt()
        status, output, _ = self.unlock_by_hand(
            '--dry-run', '--format', 'json', self.stack_id())
        rows, rest = json.JSONDecoder().raw_decode(output)
        self.assertEqual(0, status)
        self.assertEqual({('door', 'protected'), ('gate', 'protected')}, {
            (row['resource_name'], row['lock_protection']) for row in rows})
        self.assertIn('would be unlocked', output[rest:])
        self.assertEqual({'bolted by heat'}, set(self.states().values()))
        self.assert_refused(self.update())

    def test_stack_stays_locked_if_resource_is_not_released(self):
        self.bolt()
        self.order(f'jammed {self.ids["door"]}')
        status, output, error = self.unlock_by_hand('--format', 'csv',
                                                    self.stack_id())
        self.assertEqual(1, status)
        # The operator can find the resource in its service by this ID.
        self.assertIn(self.ids['door'], output)
        self.assertNotIn(self.ids['gate'], output)
        self.assertIn('1 of 2 resources could not be released', error)
        self.assertIn('--os-cloud', error)
        self.assertEqual('UNLOCK_FAILED',
                         self.client.lock_status(self.path))
        self.assert_refused(self.update())
        self._let_everything_go()
        self.assertEqual(0, self.unlock_by_hand(self.stack_id())[0])
        self.assertEqual('open', self.state())

    def without_gate(self):
        """Write settings of a host that lacks the plugin of the gate."""
        place = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        source = pathlib.Path(lockable_resources.PLUGINS, 'lockable.py')
        (place / 'lockable.py').write_text(
            source.read_text().replace(", 'Test::Gate': Gate", ''))
        settings = place / 'heat.conf'
        settings.write_text(f'[DEFAULT]\nplugin_dirs = {place}\n')
        return '--config-file', str(settings)

    def test_verify_without_a_plugin_continues_with_other_resources(self):
        self.bolt()
        done = self.manage(*self.without_gate(), 'list-locks', '--verify',
                           '--format', 'json')
        rows = {row['resource_name']: row for row in json.loads(done.stdout)
                if row['stack_name'] == self.name}
        self.assertEqual({'door': 'protected', 'gate': 'not_known'}, {
            name: row['found'] for name, row in rows.items()})
        self.assertIn('Test::Gate', rows['gate']['reason'])
        self.assertEqual(1, done.returncode)
        self.assertRegex(done.stderr, '^heat-extras-manage: The protection of '
                         '1 of [0-9]+ resources is not known')
        self.assertNotIn('Traceback', done.stderr)

    def test_leave_protected_unlocks_despite_unreleased_resources(self):
        self.bolt()
        self.order('jammed')
        status, output, _ = self.unlock_by_hand(
            '--leave-protected', '--format', 'csv', self.stack_id())
        self.assertEqual(0, status)
        self.assertIn('still protected in their services', output)
        self.assertIn(self.ids['gate'], output)
        self.assertIn('2 of 2 resources could not be released',
                      self.reason())
        self.assertEqual('bolted by heat', self.state())
        self.assertIsNone(self.client.show_stack(self.path)['lock_level'])
        self._let_everything_go()
        # The stack could not be deleted with them.
        for id_ in self.ids.values():
            (self.place / id_).write_text('open')

    def test_unlock_is_rejected_while_engine_locks(self):
        go_on = self.hold_up('lock')
        self.assert_status(200, self.lock(level='all'))
        self.wait_for_calls()
        status, _, error = self.unlock_by_hand(self.stack_id())
        self.assertEqual(1, status)
        self.assertIn('not changed, because its lock is LOCK_IN_PROGRESS',
                      error)
        self.assertIn(f'reset-lock {self.stack_id()}', error)
        go_on()
        self._wait(self.path, 'LOCK_COMPLETE')

    def interrupt(self, end):
        """End the command while it waits for a service.

        :param end: takes its process.
        """
        self.hold_up('unlock')
        before = len(self.calls())
        running = self.sandbox.begin('heat-extras-manage', 'unlock',
                                     self.stack_id(), with_settings=True)
        self.addCleanup(running.stop)
        self.wait_for_calls(before + 1)
        end(running)
        self._let_everything_go()

    def test_interrupted_unlock_fails_and_can_be_repeated(self):
        self.bolt()
        self.interrupt(process.Process.stop)
        self._wait(self.path, 'UNLOCK_FAILED')
        self.assert_refused(self.update())
        self.assertEqual(0, self.unlock_by_hand(self.stack_id())[0])

    def test_killed_unlock_can_be_reset_and_repeated(self):
        self.bolt()
        self.interrupt(process.Process.kill)
        self.assertEqual('UNLOCK_IN_PROGRESS',
                         self.client.lock_status(self.path))
        self.assertEqual(0, self.manage(
            'reset-lock', self.stack_id()).returncode)
        self._wait(self.path, 'UNLOCK_FAILED')
        self.assertEqual(0, self.unlock_by_hand(self.stack_id())[0])
        self.assertEqual('open', self.state())


class LegacyAdminUnlockTest(ReleaseMixin, AdminUnlockTestCase):
    settings = lockable_resources.SETTINGS + base.LEGACY


class StackArgumentTest(test_stack_lock.StackLockTestCase):
    """The stack that the command line names, and its lock."""

    template = templates.SCALING
    files = templates.FILES

    def refused(self, *words):
        done = self.sandbox.run('heat-extras-manage', 'unlock', *words)
        self.assertEqual((1, ''), (done.returncode, done.stdout))
        return done.stderr

    def test_unknown_or_unlocked_stack_is_rejected(self):
        self.assertIn("No root stack has the ID or name 'nobody'",
                      self.refused('nobody'))
        self.assertIn(f'Stack {self.name} ({self.path[-36:]}) is not locked',
                      self.refused(self.name))
        self.assertIn('is not locked', self.refused('--dry-run', self.name))

    def test_unknown_cloud_is_rejected(self):
        error = self.refused('--os-cloud', 'nowhere', self.name)
        self.assertIn('Cloud "nowhere" cannot be used: Cloud nowhere was '
                      'not found', error)
        self.assertIn('Expected the name of a cloud in clouds.yaml', error)

    def test_cloud_without_user_is_rejected(self):
        place = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        clouds = place / 'clouds.yaml'
        clouds.write_text(
            'clouds: {token: {auth_type: admin_token, auth: '
            f'{{endpoint: "{self.sandbox.url}", token: "ops:admin"}}}}}}')
        self.useFixture(environment.Environment(
            OS_CLIENT_CONFIG_FILE=str(clouds)))
        error = self.refused('--os-cloud', 'token', self.name)
        self.assertIn('Cloud "token" cannot be used', error)
        self.assertNotIn('Traceback', error)

    def test_nested_stack_is_rejected(self):
        nested = self.client.get(
            self.path + '/resources/group').json()['resource'][
                'physical_resource_id']
        self.assertIn(f'is nested in stack {self.path[-36:]}',
                      self.refused(nested))

    def test_ambiguous_stack_name_is_rejected(self):
        other = base.InProject(self.sandbox, 'other').client('bob')
        other.create_stack(self.name, templates.SMALL)
        self.addCleanup(other.delete, f'/stacks/{self.name}')
        error = self.refused(self.name)
        self.assertIn(f"2 stacks have the name '{self.name}'", error)
        self.assertIn('of project other', error)

    def test_stack_tree_is_unlocked_without_os_cloud(self):
        self.assert_status(200, self.lock(self.admin, level='stacks'))
        done = self.sandbox.run('heat-extras-manage', 'unlock', self.name)
        self.assertEqual((0, ''), (done.returncode, done.stderr))
        waiting.until_equal('the lock', None, lambda: self.client.show_stack(
            self.path)['lock_level'])
        self.assert_status(202, self.update())
