# SPDX-License-Identifier: Apache-2.0

"""Locked stacks on real services: permissions, errors, notifications."""

from tests.cloud import base
from tests.cloud import templates
from tests.harness.cloud import cfn
from tests.harness.cloud import notifications
from tests.harness import file_service

_NEXT = templates.stack(server=templates.SERVER)


class SmokeTest(base.CloudTestCase):
    """The stack is created once, and each test leaves it unlocked."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        image = cls.use_in_class(
            file_service.FileService(templates.IMAGE_FILE))
        cls.owner = cls.cloud.client('alice')
        cls.addClassCleanup(cls.owner.connection.close)
        cls.path = cls.owner.create_stack(
            'smoke', templates.tree(image.url(templates.IMAGE)),
            files=templates.FILES)
        cls.addClassCleanup(cls._delete)

    @classmethod
    def _delete(cls):
        cls.owner.delete(cls.path)
        cls.owner.wait_for_stack(cls.path, base.DELETED)

    @property
    def stack_id(self):
        return self.path.rpartition('/')[2]

    def _lock(self, name='alice', level='stacks'):
        self.addCleanup(self.act, self.path, 'unlock',
                        client=self.client('ops'))
        return self.assert_status(200, self.act(
            self.path, 'lock', {'level': level, 'reason': 'db move'},
            self.client(name)))

    def _unlock(self, name):
        return self.act(self.path, 'unlock', client=self.client(name))

    def _update(self):
        return self.alice.put(self.path, {'template': _NEXT})

    def test_openstack_stack_lock_and_unlock(self):
        done = self.alice.openstack('stack', 'lock', '--level', 'stacks',
                                    '--reason', 'db move', 'smoke')
        self.assertEqual(0, done.returncode, done.stderr)
        for arguments in (('delete', '--yes', '--wait', 'smoke'),
                          ('suspend', 'smoke')):
            done = self.alice.openstack('stack', *arguments)
            self.assertNotEqual(0, done.returncode, done.stdout)
            self.assertIn('is locked (level stacks) by alice', done.stderr)
        done = self.client('bob').openstack('stack', 'unlock', 'smoke')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIsNone(self.alice.show_stack('smoke')['lock_level'])

    def test_locked_stack_rejects_update_delete_and_suspend(self):
        self._lock()
        text = self.assert_refused(self._update())
        self.assertIn('by alice', text)
        self.assertIn('db move', text)
        self.assert_refused(self.alice.delete(self.path))
        self.assert_refused(self.act(self.path, 'suspend'))

    def test_other_member_can_unlock(self):
        self._lock()
        self.assert_status(200, self._unlock('bob'))

    def test_reader_cannot_lock_or_unlock(self):
        eve = self.client('eve')
        self.assert_status(403, self.act(
            self.path, 'lock', {'level': 'stacks'}, eve))
        self._lock()
        self.assert_status(403, self._unlock('eve'))
        self.assertEqual('stacks', eve.show_stack(self.path)['lock_level'])

    def test_administrator_lock_cannot_be_removed_by_member(self):
        self._lock('ops')
        self.assert_status(403, self._unlock('alice'))
        self.assert_refused(self._update())
        self.assert_status(200, self._unlock('ops'))

    def test_user_name_is_taken_from_token_not_from_headers(self):
        # keystonemiddleware leaves these headers on the request.
        claims = {'X-Auth-User': 'root', 'X-Auth-Key': 'any'}
        heard = self.useFixture(
            notifications.Notifications(self.cloud.host.transport))
        self.addCleanup(self._unlock, 'ops')
        self.assert_status(200, self.alice.post(
            self.path + '/actions', {'lock': {'level': 'stacks'}},
            headers=claims))
        self.assertEqual('alice',
                         self.alice.show_stack(self.path)['locked_by'])
        self.assertIn('by alice', self.assert_refused(
            self.alice.delete(self.path, headers=claims)))
        payload = heard.wait_for('orchestration.stack.lock.end',
                                 self.stack_id)
        self.assertEqual('alice', payload['username'])

    def test_stack_of_other_project_is_not_found(self):
        self._lock()
        self.assert_status(404, self._unlock('mallory'))
        self.assert_status(404, self.client('mallory').get(self.path))

    def test_notifications_of_lock_and_unlock_are_sent(self):
        heard = self.useFixture(
            notifications.Notifications(self.cloud.host.transport))
        self._lock()
        self.assert_status(200, self._unlock('bob'))
        for action in ('lock', 'unlock'):
            for phase in ('start', 'end'):
                payload = heard.wait_for(
                    f'orchestration.stack.{action}.{phase}', self.stack_id)
                self.assertEqual('smoke', payload['stack_name'])

    def test_cfn_api_rejects_delete_of_locked_stack(self):
        client = cfn.CfnClient(self.alice)
        self.assert_status(200, client.call('DescribeStacks',
                                            StackName='smoke'))
        self._lock()
        answer = self.assert_status(
            400, client.call('DeleteStack', StackName='smoke'))
        self.assertIn('InvalidAction', answer.text)
        self.assertIn('by alice', answer.text)

    def test_level_stacks_does_not_lock_servers(self):
        self._lock()
        for server in self.alice.connection.compute.servers():
            self.assertFalse(server.is_locked)


class IdentityTest(base.CloudTestCase):
    def test_lock_of_stack_with_keystone_resources_by_admin(self):
        ops = self.client('ops')
        path = self.create_stack(templates.identity('smoke'), ops)
        self.assert_status(200, self.act(
            path, 'lock', {'level': 'stacks'}, ops))
        self.assert_refused(ops.delete(path))
        self.assert_refused(self.alice.delete(path))
        self.assert_status(403, self.act(path, 'unlock'))


class EnginesTest(base.CloudTestCase):
    def test_lock_is_kept_when_all_engines_are_killed(self):
        path = self.create_stack(templates.stack(
            network={'type': 'OS::Neutron::Net'}))
        self.assert_status(200, self.act(path, 'lock', {'level': 'stacks'}))
        for engine in self.cloud.heat.engines.values():
            engine.kill()
        for engine in self.cloud.heat.engines.values():
            engine.start()
        self.assert_refused(self.alice.delete(path))
        self.assert_status(200, self.act(path, 'unlock'))
