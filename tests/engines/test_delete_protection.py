# SPDX-License-Identifier: Apache-2.0

"""Protection from deletion, when the engine that deletes is killed."""

import json

from tests.engines import base
from tests.engines import blockade

_MEMBER = {
    'heat_template_version': '2018-08-31',
    'parameters': {'seconds': {'type': 'number'}},
    'resources': {'test': {
        'type': 'OS::Heat::TestResource',
        'properties': {'value': {'get_param': 'seconds'},
                       'action_wait_secs': {
                           'update': {'get_param': 'seconds'}}}}},
}
_TREE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'seconds': {'type': 'number', 'default': 0}},
    'resources': {'in': {
        'type': 'member.yaml',
        'properties': {'seconds': {'get_param': 'seconds'}}}},
}
_HELD = 'SELECT id FROM stack WHERE id = :id FOR UPDATE'


class DeleteProtectionTest(base.CloudTestCase):

    def setUp(self):
        super().setUp()
        self.path = self.client.create_stack(
            self.id().rpartition('.')[2][5:65], _TREE,
            files={'member.yaml': json.dumps(_MEMBER)})
        self.stack_id = self.path.rpartition('/')[2]

    def nested(self):
        (name, nested_id), = self.query(
            'SELECT name, id FROM stack WHERE owner_id = :id',
            id=self.stack_id)
        return f'/stacks/{name}/{nested_id}', nested_id

    def protect(self):
        return self.act(self.path, 'protect', {'reason': 'the only copy'})

    def status(self, stack_id):
        (found,), = self.query('SELECT status FROM stack WHERE id = :id',
                               id=stack_id)
        return found

    def assert_kept(self):
        for path in self.path, self.nested()[0]:
            answer = self.assert_status(409, self.client.delete(path))
            self.assertEqual('StackProtected',
                             answer.json()['error']['type'])

    def test_killed_before_it_begins(self):
        nested, nested_id = self.nested()
        self.assert_status(202, self.client.patch(self.path, {
            'parameters': {'seconds': 8}}))
        self.wait_for('the nested stack to be updated',
                      lambda: self.status(nested_id),
                      lambda status: status == 'IN_PROGRESS')
        with blockade.held(self.cloud, _HELD, id=nested_id):
            pending = self.in_background(self.client.delete, nested)
            blockade.wait_for_victim(self.cloud).kill()
        blockade.wait_until_nobody_waits(self.cloud)
        self.assert_status(200, self.protect())
        self.assert_kept()
        self.assertNotEqual(204, pending.result().status_code)

    def test_every_engine_has_to_honour_it(self):
        engine_id = self.cloud.engine_id('engine-1')
        # As an engine without heat-extras.
        self.change('DELETE FROM heat_extras_engine WHERE engine_id = :id',
                    id=engine_id)
        answer = self.protect()
        if answer.status_code != 200:
            self.assert_status(409, answer)
            self.assertIn(engine_id, answer.text)
        # It is recorded again with its next report.
        self.wait_for('a protection', self.protect,
                      lambda answer: answer.status_code == 200)
        self.assert_kept()


class MariaDBTest(DeleteProtectionTest):
    kind = base.MARIADB


class PostgreSQLTest(DeleteProtectionTest):
    kind = base.POSTGRESQL
