# SPDX-License-Identifier: Apache-2.0
"""An immutable parameter of a server."""

from tests.cloud import templates
from tests.cloud import updates
from tests.harness.cloud import nova

_PROPERTIES = {**templates.SERVER['properties'],
               'flavor': {'get_param': 'flavor'},
               'metadata': {'tier': {'get_param': 'tier'}}}


def stack(**declared):
    """Make a server whose flavor is a parameter."""
    return {**templates.stack(server={
        'type': 'OS::Nova::Server', 'properties': _PROPERTIES}),
        'parameters': {'flavor': {'type': 'string', **declared},
                       'tier': {'type': 'string', 'default': 'gold'}}}


class FlavorTest(updates.UpdateTestCase):
    def setUp(self):
        super().setUp()
        self.path = self.create_stack(
            stack(updatable=False), parameters={'flavor': nova.FLAVOR})
        self.server_id = self.physical_id(self.path, 'server')
        self.other = self.make_flavor()

    def state(self):
        """Return everything that an update could change."""
        return (self.alice.show_stack(self.path),
                self.work_done(self.path),
                self.alice.get(self.path + '/events').json(),
                self.alice.get(self.path + '/environment').json(),
                self.server(self.server_id))

    def flavor(self):
        return self.server(self.server_id)['flavor']['original_name']

    def test_update_with_other_flavor_is_rejected_without_changes(self):
        before = self.state()
        body = {'parameters': {'flavor': self.other, 'tier': 'silver'}}
        for answer in (
                self.alice.put(self.path, {
                    **body, 'template': stack(updatable=False)}),
                self.alice.patch(self.path, body)):
            self.assert_status(400, answer)
            fault = answer.json()['error']
            self.assertEqual('ImmutableParameterModified', fault['type'])
            self.assertIn('flavor', fault['message'])
        done = self.alice.openstack(
            'stack', 'update', '--existing', '--parameter',
            f'flavor={self.other}', self.path.split('/')[2])
        self.assertNotEqual(0, done.returncode, done.stdout)
        self.assertIn('immutable and may not be updated: flavor',
                      done.stderr)
        self.assertEqual(before, self.state())

    def test_other_parameters_and_updatable_can_be_changed(self):
        self.assert_status(202, self.alice.patch(
            self.path, {'parameters': {'tier': 'silver'}}))
        self.settled(self.path, 'UPDATE_COMPLETE')
        self.assertEqual({'tier': 'silver'},
                         self.server(self.server_id)['metadata'])
        self.assertEqual(['create'], self.server_history(self.server_id))
        self.update(self.path, stack(updatable=True),
                    parameters={'flavor': self.other})
        self.assertEqual(self.other, self.flavor())
