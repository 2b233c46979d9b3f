# SPDX-License-Identifier: Apache-2.0
"""Update policies of servers and networks."""

import json

from tests.cloud import templates
from tests.cloud import updates
from tests.harness.cloud import cloud

KEEP = {'update_policy': {'allow': {'replace': False}}}
FREEZE = {'update_policy': {'allow': {'update': False}}}


def server(policy=KEEP, **properties):
    """Make a server; the policy {} allows all changes."""
    return {'type': 'OS::Nova::Server', **policy, 'properties': {
        **templates.SERVER['properties'], **properties}}


def network(policy=FREEZE, **properties):
    return {'type': 'OS::Neutron::Net', **policy, 'properties': properties}


class ServerTest(updates.UpdateTestCase):
    def setUp(self):
        super().setUp()
        self.image = self.make_image()

    def create(self, **properties):
        self.path = self.create_stack(
            templates.stack(server=server(**properties)))
        self.server_id = self.physical_id(self.path, 'server')

    def test_update_that_would_replace_server_is_rejected(self):
        self.create(image_update_policy='REPLACE')
        other = {'image': self.image, 'image_update_policy': 'REPLACE'}
        self.assert_update_refused(
            self.path, templates.stack(server=server(**other)),
            'resource server', 'would be replaced', 'replace: false')
        self.assertEqual('ACTIVE', self.server(self.server_id)['status'])
        # The next allowed update changes the same server.
        self.update(self.path, templates.stack(server=server(
            image_update_policy='REPLACE', metadata={'tier': 'gold'})))
        self.assertEqual({'tier': 'gold'},
                         self.server(self.server_id)['metadata'])
        self.update(self.path, templates.stack(server=server({}, **other)))
        self.assert_gone(self.server_id)
        server_id = self.physical_id(self.path, 'server')
        self.assertEqual(self.image, self.server(server_id)['image']['id'])

    def test_update_that_would_remove_server_is_rejected(self):
        self.create()
        self.assert_update_refused(
            self.path, templates.stack(network=network({})),
            'resource server', 'would be removed')
        self.assertEqual('ACTIVE', self.server(self.server_id)['status'])

    def test_update_fails_if_replacement_was_not_predictable(self):
        template = {
            **templates.stack(
                source={'type': 'OS::Heat::Value', 'properties': {
                    'value': {'get_param': 'image'}}},
                server=server(
                    image={'get_attr': ['source', 'value']},
                    image_update_policy='REPLACE')),
            'parameters': {'image': {'type': 'string'}}}
        first = {'parameters': {'image': cloud.IMAGE}}
        path = self.create_stack(template, **first)
        server_id = self.physical_id(path, 'server')
        reason = self.update(path, template, 'UPDATE_FAILED', parameters={
            'image': self.image})['stack_status_reason']
        self.assertIn('Not done: resource server', reason)
        self.assertIn('would be replaced', reason)
        self.update(path, template, **first)
        self.assertEqual(server_id, self.physical_id(path, 'server'))
        self.assertEqual('ACTIVE', self.server(server_id)['status'])
        self.assertEqual(['create'], self.server_history(server_id))

    def test_rebuild_with_other_image_counts_as_update(self):
        self.create()
        self.assert_update_refused(
            self.path,
            templates.stack(server=server(FREEZE, image=self.image)),
            'would be updated in place', 'update: false')
        self.update(self.path, templates.stack(
            server=server(image=self.image)))
        self.assertEqual(['rebuild', 'create'],
                         self.server_history(self.server_id))
        self.assertEqual(
            self.image, self.server(self.server_id)['image']['id'])


class NetworkTest(updates.UpdateTestCase):
    def shown(self, name):
        return self.alice.connection.network.get_network(
            self.physical_id(self.path, name)).to_dict()

    def test_update_that_would_rename_network_is_rejected(self):
        self.path = self.create_stack(templates.stack(
            kept=network(name='kept'), free=network({}, name='free')))
        before = self.shown('kept')
        self.assert_update_refused(
            self.path, templates.stack(
                kept=network(name='changed'),
                free=network({}, name='changed')),
            'resource kept', 'would be updated in place', 'update: false')
        self.assertEqual('free', self.shown('free')['name'])
        self.update(self.path, templates.stack(
            kept=network(name='kept'), free=network({}, name='changed')))
        self.assertEqual('changed', self.shown('free')['name'])
        self.assertEqual(before, self.shown('kept'))


def files(count, **properties):
    """Make the files of a stack with a group of servers."""
    group = templates.servers(count)
    group['resources']['group']['properties']['resource_def'] = server(
        {}, image_update_policy='REPLACE', **properties)
    return {'servers.yaml': json.dumps(group)}


class NestedGroupTest(updates.UpdateTestCase):
    """A resource with a nested stack that contains a group of servers."""

    TEMPLATE = templates.stack(nested={'type': 'servers.yaml', **KEEP})

    def setUp(self):
        super().setUp()
        self.path = self.create_stack(self.TEMPLATE, files=files(2))

    def servers(self):
        """Return the IDs of the group's servers by their names."""
        return {name: resource['physical_resource_id']
                for name, resource in self.resources(self.path).items()
                if resource['resource_type'] == 'OS::Nova::Server'}

    def test_policy_of_nested_stack_protects_its_group_members(self):
        before = self.servers()
        self.assertEqual({'0', '1'}, set(before))
        image = self.make_image()
        for changed, word in ((files(1), 'would be removed'),
                              (files(2, image=image), 'would be replaced')):
            self.assert_update_refused(
                self.path, self.TEMPLATE, word, 'resource nested',
                files=changed)
        self.assert_update_refused(
            self.path, templates.stack(other=network({})),
            'resource nested', 'would be removed')
        for server_id in before.values():
            self.assertEqual('ACTIVE', self.server(server_id)['status'])
        self.update(self.path, self.TEMPLATE, files=files(3))
        after = self.servers()
        self.assertEqual(before, {name: after[name] for name in before})
        self.assertEqual('ACTIVE', self.server(after['2'])['status'])
