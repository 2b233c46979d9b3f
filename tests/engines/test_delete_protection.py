# SPDX-License-Identifier: Apache-2.0

"""Delete protection if the engine that deletes is killed."""

import json

from tests.engines import base
from tests.engines import row_lock

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

    def intents(self):
        (intents,), = self.query(
            'SELECT delete_intents FROM stack WHERE id = :id',
            id=self.stack_id)
        return [each.partition('/')[0]
                for each in (intents or '').split(';') if each]

    def status(self, stack_id):
        (value,), = self.query('SELECT status FROM stack WHERE id = :id',
                               id=stack_id)
        return value

    def kill_between_intent_and_end(self):
        """Kill an engine that is about to end what runs in a nested stack."""
        path, nested_id = self.nested()
        self.assert_status(202, self.client.patch(self.path, {
            'parameters': {'seconds': 8}}))
        self.wait_for('the nested stack to be updated',
                      lambda: self.status(nested_id),
                      lambda status: status == 'IN_PROGRESS')
        with row_lock.held(self.cloud, _HELD, id=nested_id):
            pending = self.in_background(self.client.delete, path)
            engine_id, = self.wait_for('the intent', self.intents)
            row_lock.wait_for_victim(self.cloud)
            victim, = [engine for name, engine in self.cloud.engines.items()
                       if self.cloud.engine_id(name) == engine_id]
            victim.kill()
        row_lock.wait_until_nobody_waits(self.cloud)
        return pending

    def assert_kept(self):
        for path in self.path, self.nested()[0]:
            answer = self.assert_status(409, self.client.delete(path))
            self.assertEqual('StackProtected',
                             answer.json()['error']['type'])

    def test_protect_works_after_deleting_engine_was_killed(self):
        pending = self.kill_between_intent_and_end()
        answer = self.assert_status(409, self.protect())
        self.assertIn('is being deleted', answer.text)
        self.wait_for('a protection', self.protect,
                      lambda answer: answer.status_code == 200)
        self.assertEqual([], self.intents())
        self.assert_kept()
        self.assertNotEqual(204, pending.result().status_code)
        self.assert_status(200, self.act(self.path, 'unprotect'))

    def test_delete_works_after_deleting_engine_was_killed(self):
        self.kill_between_intent_and_end()
        self.cloud.ensure_engines()
        self.assert_status(204, self.client.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'],
                                   failed='UPDATE_FAILED')

    def test_protect_works_if_killed_before_delete_intent(self):
        with row_lock.held(self.cloud, _HELD, id=self.stack_id):
            pending = self.in_background(self.client.delete,
                                         self.nested()[0])
            row_lock.wait_for_victim(self.cloud).kill()
        row_lock.wait_until_nobody_waits(self.cloud)
        self.assertEqual([], self.intents())
        self.assert_status(200, self.protect())
        self.assert_kept()
        self.assertNotEqual(204, pending.result().status_code)

    def test_protect_is_rejected_until_all_engines_report(self):
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
