# SPDX-License-Identifier: Apache-2.0
"""Servers that users mark unhealthy, and the list of all guards."""

from tests.cloud import templates
from tests.cloud import updates
from tests.harness.cloud import nova

KEEP = {'update_policy': {'allow': {'replace': False}}}
SERVER = templates.stack(server=templates.SERVER)
KEPT = templates.stack(server={**templates.SERVER, **KEEP})


class HealthTest(updates.UpdateTestCase):
    def create(self, template):
        self.path = self.create_stack(template)
        self.name = self.path.split('/')[2]
        self.server_id = self.physical_id(self.path, 'server')

    def run_openstack(self, *arguments):
        done = self.alice.openstack(*arguments)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    def mark(self, *arguments):
        """Mark the server with the command of python-heatclient."""
        self.run_openstack('stack', 'resource', 'mark', 'unhealthy',
                           *arguments[:-1], self.name, 'server',
                           arguments[-1])

    def test_update_replaces_server_marked_unhealthy(self):
        self.create(SERVER)
        self.mark('disk errors')
        shown = self.resource(self.path, 'server')
        self.assertEqual(
            ('CHECK_FAILED', 'disk errors', self.server_id),
            tuple(shown[key] for key in (
                'resource_status', 'resource_status_reason',
                'physical_resource_id')))
        # Nova does not report a defect.
        self.assertEqual('ACTIVE', self.server(self.server_id)['status'])
        self.act_and_wait('check', 'FAILED')
        self.update(self.path, SERVER)
        shown = self.resource(self.path, 'server')
        self.assertEqual('CREATE_COMPLETE', shown['resource_status'])
        self.assertNotEqual(self.server_id, shown['physical_resource_id'])
        self.assert_gone(self.server_id)
        self.assertEqual('ACTIVE', self.server(
            shown['physical_resource_id'])['status'])

    def test_update_is_rejected_if_server_must_not_be_replaced(self):
        self.create(KEPT)
        marked, = self.alice.openstack_json(
            'stack', 'resource', 'unhealthy', '--reason', 'disk errors',
            self.name, self.server_id)
        self.assertIn('replace: false', str(marked))
        self.assert_update_refused(self.path, KEPT, 'resource server',
                                   'would be replaced', 'replace: false')
        self.assertEqual('ACTIVE', self.server(self.server_id)['status'])
        self.mark('--reset', 'repaired')
        self.update(self.path, KEPT)
        self.assertEqual(self.server_id,
                         self.physical_id(self.path, 'server'))

    def test_update_replaces_unhealthy_group_member_only(self):
        template = templates.servers(2)
        self.path = self.create_stack(template)
        before = self.members()
        self.run_openstack('stack', 'resource', 'unhealthy',
                           self.path.split('/')[2], before['1'])
        self.act_and_wait('check', 'FAILED')
        self.update(self.path, template)
        after = self.members()
        self.assertEqual(before['0'], after['0'])
        self.assertNotEqual(before['1'], after['1'])
        self.assert_gone(before['1'])
        self.assertEqual(['create'], self.server_history(after['0']))
        self.assertEqual('ACTIVE', self.server(after['1'])['status'])

    def act_and_wait(self, name, status='COMPLETE'):
        """Run an action, and check its final status."""
        self.assert_status(200, self.act(self.path, name))
        stack = self.alice.wait_for_stack(self.path, [
            f'{name.upper()}_{end}' for end in ('COMPLETE', 'FAILED')])
        self.assertEqual(f'{name.upper()}_{status}', stack['stack_status'],
                         stack['stack_status_reason'])

    def members(self):
        return {name: resource['physical_resource_id']
                for name, resource in self.resources(self.path).items()
                if resource['resource_type'] == 'OS::Nova::Server'}

    def test_suspended_server_resumes_after_mark_and_reset(self):
        self.create(SERVER)
        self.act_and_wait('suspend')
        self.mark('disk errors')
        self.mark('--reset', 'repaired')
        self.assertEqual('CHECK_COMPLETE', self.resource(
            self.path, 'server')['resource_status'])
        self.assertEqual('SUSPENDED', self.server(self.server_id)['status'])
        self.act_and_wait('resume')
        self.assertEqual('ACTIVE', self.server(self.server_id)['status'])

    def test_guard_list_shows_guards_of_all_kinds(self):
        self.create({
            **templates.stack(
                server={**templates.SERVER, **KEEP, 'properties': {
                    **templates.SERVER['properties'],
                    'flavor': {'get_param': 'flavor'}}},
                network={'type': 'OS::Neutron::Net'}),
            'parameters': {'flavor': {
                'type': 'string', 'default': nova.FLAVOR,
                'updatable': False}}})
        self.run_openstack('stack', 'resource', 'mark', 'unhealthy',
                           self.name, 'network', 'loses packets')
        self.lock(self.path)
        guards = self.guards()
        self.assertEqual(
            {('lock', None), ('protection', 'server'),
             ('unhealthy', 'network'), ('parameter', 'flavor'),
             ('policy', 'server')}, set(guards))
        unlock = f'openstack stack unlock {self.name}'
        for key, wanted in {
                ('lock', None): ('alice', 'db move', unlock),
                ('protection', 'server'): ('alice', self.server_id, unlock),
                ('unhealthy', 'network'): (
                    'alice', 'loses packets',
                    f'mark unhealthy --reset {self.name} network'),
                ('parameter', 'flavor'): (
                    None, 'not updatable', 'removes the restriction'),
                ('policy', 'server'): (
                    None, 'replace: false',
                    'a template that allows this change')}.items():
            self.assert_told(guards[key], *wanted)

    def guards(self):
        listed = self.alice.openstack_json('stack', 'guard', 'list',
                                           self.name)
        return {(guard['Kind'], guard['Name']): guard for guard in listed}

    def assert_told(self, guard, who, why, how):
        self.assertEqual(who, guard['Set By'])
        self.assertIn(why, guard['Reason'])
        self.assertIn(how, guard['How To Lift'])
        for column in ('Stops', 'Lifted By'):
            self.assertTrue(guard[column], guard)
        self.assertEqual(bool(who), bool(guard['Set At']), guard)
