# SPDX-License-Identifier: Apache-2.0

"""Masakari recovers servers during locks of level ``all``.

Masakari may change Nova's locks. The tests check that the recorded protection,
the responses and the unlock of heat-extras agree with the remaining locks.
"""

import json

from testtools import content

from tests.cloud import base
from tests.cloud import protection
from tests.cloud import templates
from tests.consumers import masakari
from tests.harness import command
from tests.harness import logs
from tests.harness import waiting

_STATE, _TASK = 'OS-EXT-STS:vm_state', 'OS-EXT-STS:task_state'
_HOST = 'OS-EXT-SRV-ATTR:host'


class MasakariTest(protection.ProtectionTestCase):
    """The tests use one cloud, whose Nova has two compute hosts."""

    @classmethod
    def setUpClass(cls):
        # The tests do not use the shared cloud.
        super(base.CloudTestCase, cls).setUpClass()
        cls.cloud = cls.use_in_class(masakari.Cloud())
        cls.monitors = masakari.Monitors(cls.cloud.client('root'))

    def setUp(self):
        super().setUp()
        for name in ('masakari-engine', 'masakari-api'):
            self.addDetail(f'{name}.log', logs.file_content(
                self.cloud.logs()[name]))
        self.root = self.client('root')
        self.path = self.create_stack(
            templates.stack(server=templates.SERVER))
        self.id_ = self.physical_id(self.path, 'server')
        self.host = self.server(self.id_, self.root)[_HOST]
        self.other, = set(masakari.COMPUTES) - {self.host}

    def fail_host(self):
        """Kill the compute service of the host, and report it to Masakari.

        :returns: the id of its notification
        """
        compute = self.cloud.nova.computes[self.host]
        compute.kill()
        self.addCleanup(self._bring_back, compute)
        self.assertEqual(200, self._tell_nova(forced_down=True))
        return self.monitors.host_failed(self.host)

    def assert_recovered(self, notification_id):
        """Wait until Masakari has evacuated the server."""
        self.assertEqual('finished', self.monitors.outcome(notification_id))
        server = self.server(self.id_, self.root)
        self.assertEqual((self.other, 'active', None), (
            server[_HOST], server[_STATE], server[_TASK]))

    def hold_compute(self, name):
        """Pause a compute service; returns a function that continues it."""
        compute = self.cloud.nova.computes[name]
        compute.pause()
        self.addCleanup(compute.go_on)
        return compute.go_on

    def wait_for_task(self, task):
        self.wait_for(f'the server to be {task}', lambda: self.server(
            self.id_, self.root)[_TASK], lambda value: value == task)

    def is_locked(self):
        return self.server(self.id_)['locked']

    def lock_actions(self):
        """Return who locked and unlocked the server, oldest first."""
        names = {self.alice.connection.current_user_id: 'alice'}
        listed = self.alice.call(
            'compute', 'GET', f'/servers/{self.id_}/os-instance-actions',
            '2.73').json()['instanceActions']
        return [f'{action["action"]} by '
                f'{names.get(action["user_id"], "masakari")}'
                for action in reversed(listed) if 'lock' in action['action']]

    def verified(self):
        """Run ``list-locks --verify``; returns its exit status and result."""
        done = command.run(
            [command.program('heat-extras-manage'), '--config-file',
             self.cloud.heat.file, 'list-locks', '--verify', '--format',
             'json'])
        self.addDetail('verify', content.text_content(done.stderr))
        status, = [each['found'] for each in json.loads(done.stdout)
                   if each['stack_id'] == self.path.rpartition('/')[2]]
        return done.returncode, status

    def _bring_back(self, compute):
        compute.start()
        # Nova rejects this until the host has processed the evacuation.
        waiting.until_equal('the compute to be let in', 200, lambda: (
            self._tell_nova(forced_down=False)))
        self.assertEqual(200, self._tell_nova(status='enabled'))
        self.monitors.is_back(self.host)
        waiting.until_equal('the compute', 'up', lambda: next(
            each['state'] for each in self._services()
            if each['host'] == self.host))

    def _services(self):
        return self.root.call(
            'compute', 'GET', '/os-services?binary=nova-compute',
            '2.53').json()['services']

    def _tell_nova(self, **fields):
        """Change a field of the host's service; returns the status."""
        id_ = next(each['id'] for each in self._services()
                   if each['host'] == self.host)
        return self.root.call('compute', 'PUT', f'/os-services/{id_}', '2.53',
                              json=fields).status_code

    def test_stopped_locked_server_is_started_and_stays_locked(self):
        self.lock(self.path)
        self.assertEqual('finished', self.monitors.outcome(
            self.monitors.server_failed(self.host, self.id_)))
        self.assertEqual('active', self.server(self.id_)[_STATE])
        self.assertEqual((True, ['lock by alice']),
                         (self.is_locked(), self.lock_actions()))
        self.unlock(self.path)
        self.assertFalse(self.is_locked())

    def test_unlock_and_lock_during_restart_of_server(self):
        self.lock(self.path)
        go_on = self.hold_compute(self.host)
        notification = self.monitors.server_failed(self.host, self.id_)
        self.wait_for_task('powering-off')
        self.unlock(self.path)
        self.assertFalse(self.is_locked())
        self.lock(self.path)
        go_on()
        self.assertEqual('finished', self.monitors.outcome(notification))
        self.assertEqual('active', self.server(self.id_)[_STATE])
        self.assertEqual('protected', self.protection(self.path, 'server'))
        self.unlock(self.path)
        self.assertFalse(self.is_locked())

    def test_locked_server_is_evacuated_and_stays_locked(self):
        self.lock(self.path)
        self.assert_recovered(self.fail_host())
        self.assertEqual((True, ['lock by alice']),
                         (self.is_locked(), self.lock_actions()))
        self.assertEqual((0, 'protected'), self.verified())
        self.unlock(self.path)
        self.assertFalse(self.is_locked())

    def test_unlock_and_lock_during_evacuation(self):
        self.lock(self.path)
        go_on = self.hold_compute(self.other)
        notification = self.fail_host()
        self.wait_for_task('rebuilding')
        self.unlock(self.path)
        self.assertFalse(self.is_locked())
        self.lock(self.path)
        go_on()
        self.assert_recovered(notification)
        self.assertEqual(
            ['lock by alice', 'unlock by alice', 'lock by alice'],
            self.lock_actions())
        self.assertEqual((0, 'protected'), self.verified())
        self.unlock(self.path)
        self.assertFalse(self.is_locked())

    def test_lock_during_evacuation(self):
        go_on = self.hold_compute(self.other)
        notification = self.fail_host()
        self.wait_for_task('rebuilding')
        self.lock(self.path)
        shown = self.resource(self.path, 'server')
        self.assertEqual('found_protected', shown['lock_protection'])
        self.assertIn('the server is locked by user',
                      shown['lock_protection_reason'])
        go_on()
        self.assert_recovered(notification)
        # Masakari unlocks the server, and the stack stays locked.
        self.assertFalse(self.is_locked())
        self.assertEqual((1, 'not_protected'), self.verified())
        self.lock(self.path)
        self.assertTrue(self.is_locked())
        self.assertEqual((0, 'protected'), self.verified())
        self.unlock(self.path)
        self.assertFalse(self.is_locked())

    def test_unlock_during_evacuation_keeps_lock_of_masakari(self):
        go_on = self.hold_compute(self.other)
        notification = self.fail_host()
        self.wait_for_task('rebuilding')
        self.lock(self.path)
        self.unlock(self.path)
        self.assertTrue(self.is_locked())
        go_on()
        self.assert_recovered(notification)
        self.assertEqual(['lock by masakari', 'unlock by masakari'],
                         self.lock_actions())

    def test_lock_between_check_and_lock_by_masakari(self):
        self.cloud.nova_front.be('hold')
        self.addCleanup(self.cloud.nova_front.be, '')
        notification = self.fail_host()
        self.wait_for('Masakari to be about to lock', self._has_looked)
        self.lock(self.path)
        self.assertEqual('protected', self.protection(self.path, 'server'))
        self.cloud.nova_front.be('')
        self.assert_recovered(notification)
        self.assertEqual(
            (False, ['lock by alice', 'lock by masakari',
                     'unlock by masakari']),
            (self.is_locked(), self.lock_actions()))
        self.assertEqual((1, 'not_protected'), self.verified())
        self.unlock(self.path)
        self.assertIn('had been unlocked by another user or program: server',
                      self.last_reason(self.path))

    def test_unlock_after_masakari_took_over_lock(self):
        self.cloud.nova_front.be('hold')
        self.addCleanup(self.cloud.nova_front.be, '')
        go_on = self.hold_compute(self.other)
        notification = self.fail_host()
        self.wait_for('Masakari to be about to lock', self._has_looked)
        self.lock(self.path)
        self.cloud.nova_front.be('')
        self.wait_for_task('rebuilding')
        self.assertEqual((1, 'found_protected'), self.verified())
        self.unlock(self.path)
        self.assertTrue(self.is_locked(), "Masakari's lock was lifted")
        self.assertIn('somebody else: server', self.last_reason(self.path))
        go_on()
        self.assert_recovered(notification)
        self.assertFalse(self.is_locked())

    def _has_looked(self):
        with open(self.cloud.logs()['masakari-engine']) as log:
            return f'Call lock server command for instance {self.id_}' in (
                log.read())
