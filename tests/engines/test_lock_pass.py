# SPDX-License-Identifier: Apache-2.0

"""Updates with a lock pass while the engine or the broker is unavailable."""

import datetime
import json

from tests.engines import base
from tests.engines import row_lock

_MEMBER = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string'},
                   'seconds': {'type': 'number'}},
    'resources': {'test': {
        'type': 'OS::Heat::TestResource',
        'properties': {'value': {'get_param': 'value'},
                       'action_wait_secs': {
                           'update': {'get_param': 'seconds'}}}}},
}
_TREE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'},
                   'seconds': {'type': 'number', 'default': 0}},
    'resources': {'in': {
        'type': 'member.yaml',
        'properties': {'value': {'get_param': 'value'},
                       'seconds': {'get_param': 'seconds'}}}},
}
# Seconds of the last resource's work.
_LONG = 15
_HELD = 'SELECT id FROM stack WHERE id = :id FOR UPDATE'
_LOCKED, _PASSING = {('stacks', None)}, {(None, 'stacks')}


class _PassTestCase(base.CloudTestCase):

    def setUp(self):
        super().setUp()
        self.bob = self.cloud.client('bob')
        self.name = self.id().rpartition('.')[2][5:65]
        self.path = self.create(self.name)
        self.stack_id = self.path.rpartition('/')[2]
        (self.nested_id,), = self.query(
            'SELECT id FROM stack WHERE owner_id = :id', id=self.stack_id)
        self.assert_status(200, self.act(self.path, 'lock'))
        self.grant()

    def create(self, name):
        return self.client.create_stack(
            name, _TREE, files={'member.yaml': json.dumps(_MEMBER)})

    def grant(self):
        self.assert_status(200, self.act(self.path, 'lock_pass', {
            'user': {'id': 'bob'}, 'expires_at': self.later()}))

    def later(self):
        (now,), = self.query('SELECT max(set_at) FROM heat_extras_guard')
        later = now.replace(microsecond=0) + datetime.timedelta(hours=12)
        return later.isoformat() + 'Z'

    def update(self, client, value='two', path=None, **parameters):
        return client.patch(path or self.path, {
            'parameters': {'value': value, **parameters}})

    def levels(self):
        """Return the distinct locks of the stack tree."""
        return {tuple(row) for row in self.query(
            'SELECT lock_level, lock_passing FROM stack '
            'WHERE id IN (:id, :nested)', id=self.stack_id,
            nested=self.nested_id)}

    def wait_until_closed(self):
        self.wait_for('the lock to hold again', self.levels,
                      lambda value: value == _LOCKED)
        self.assertEqual([(None,)], self.query(
            'SELECT pass_used_at FROM heat_extras_guard WHERE stack_id = :id',
            id=self.stack_id))
        for client in self.client, self.bob:
            self.assert_status(409, self.update(client))


class LockPassTest(_PassTestCase):

    def test_pass_stays_usable_if_killed_during_use(self):
        with row_lock.held(self.cloud, _HELD, id=self.nested_id):
            pending = self.in_background(self.update, self.bob)
            row_lock.wait_for_victim(self.cloud).kill()
        row_lock.wait_until_nobody_waits(self.cloud)
        self.assertEqual(_LOCKED, self.levels())
        self.assert_status(409, self.update(self.client))
        # The pass is unused: the other engine accepts the update.
        self.assert_status(202, self.update(self.bob))
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.wait_until_closed()
        self.assertNotEqual(202, pending.result().status_code)

    def test_update_can_be_canceled_if_killed_during_it(self):
        self.assert_status(202, self.update(self.bob, seconds=600))
        (engine_id,), = self.wait_for(
            'an engine to work on the resource', lambda: self.query(
                'SELECT engine_id FROM resource WHERE stack_id = :id AND '
                "engine_id IS NOT NULL AND status = 'IN_PROGRESS'",
                id=self.nested_id))
        victim, = [engine for name, engine in self.cloud.engines.items()
                   if self.cloud.engine_id(name) == engine_id]
        victim.kill()
        # The lock stays as it is, and updates are rejected.
        for client in self.client, self.bob:
            self.assert_status(409, self.update(client))
        self.assertEqual(_PASSING, self.levels())
        self.assert_status(200, self.act(
            self.path, 'cancel_without_rollback', client=self.bob))
        self.wait_until_closed()
        self.assertEqual([('UPDATE', 'FAILED')], self.query(
            'SELECT action, status FROM stack WHERE id = :id',
            id=self.stack_id))
        self.grant()
        self.assert_status(200, self.act(self.path, 'unlock'))
        self.assert_status(204, self.client.delete(self.path))

    def test_lock_is_reenabled_if_killed_after_update(self):
        self.assert_status(202, self.update(self.bob, seconds=6))
        self.wait_for('the nested stack to be updated', lambda: self.query(
            "SELECT id FROM resource WHERE stack_id = :id AND status = "
            "'IN_PROGRESS'", id=self.nested_id))
        (row_id,), = self.query(
            'SELECT id FROM resource WHERE stack_id = :id', id=self.nested_id)
        self.wait_for('the update to be over', lambda: self.query(
            'SELECT status FROM stack WHERE id = :id', id=self.nested_id),
            lambda rows: rows == [('COMPLETE',)])
        with row_lock.held(self.cloud, 'SELECT id FROM resource '
                           'WHERE id = :id FOR UPDATE', id=row_id):
            row_lock.wait_for_victim(self.cloud).kill()
            self.assertEqual(_PASSING, self.levels())
            self.assert_status(409, self.update(self.client))
        self.wait_until_closed()

    def test_grant_is_rejected_until_all_engines_report(self):
        self.assert_status(200, self.act(self.path, 'lock_pass'))
        engine_id = self.cloud.engine_id('engine-1')
        # As an engine without heat-extras.
        self.change('DELETE FROM heat_extras_engine WHERE engine_id = :id',
                    id=engine_id)

        def ask():
            return self.act(self.path, 'lock_pass', {
                'user': {'id': 'bob'}, 'expires_at': self.later()})
        answer = ask()
        if answer.status_code != 200:
            self.assert_status(409, answer)
            self.assertIn(engine_id, answer.text)
        # It is recorded again with its next report.
        self.wait_for('a pass', ask, lambda answer: answer.status_code == 200)


class MariaDBTest(LockPassTest):
    kind = base.MARIADB


class PostgreSQLTest(LockPassTest):
    kind = base.POSTGRESQL


class BrokerTest(_PassTestCase):
    """The broker is unavailable at the end of the update, then restarted."""

    kind = base.POSTGRESQL
    # Else Heat loses what it publishes before the queue is made anew, and any
    # update stays in progress.
    more = '[oslo_messaging_rabbit]\namqp_durable_queues = true\n'

    def test_lock_is_reenabled_if_broker_is_down_at_update_end(self):
        free = self.create(self.name + '-free')
        paths = self.path, free
        for path in paths:
            self.assert_status(202, self.update(self.bob, path=path,
                                                seconds=_LONG))
        for path in paths:
            self.client.wait_for_resource(path, 'in', 'UPDATE_IN_PROGRESS')
        self.wait_for('both to be at work', self.at_work,
                      lambda value: len(value) == 2)
        self.cloud.broker.stop()
        others = [self.in_background(self.update, client, 'three')
                  for client in (self.client, self.bob)]
        self.wait_for('both to be done', self.at_work,
                      lambda value: not value)
        self.assertEqual(_PASSING, self.levels())
        self.cloud.broker.start()
        # The API has waited, too, and asks an engine now, or gives up.
        for each in others:
            self.assertIn(each.result().status_code, (409, 500))
        self.wait_until_closed()
        wanted = self.client.wait_for_end(free)
        value = self.client.show_stack(self.path)
        for name in 'stack_status', 'stack_status_reason', 'parameters':
            self.assertEqual(*(
                {**stack, 'parameters': stack['parameters']['value']}[name]
                for stack in (wanted, value)))
        self.assertEqual('two', value['parameters']['value'])

    def at_work(self):
        return self.query(
            "SELECT id FROM resource WHERE name = 'test' AND "
            "status = 'IN_PROGRESS'")


class LegacyBrokerTest(BrokerTest):
    kind = base.MARIADB
    more = 'convergence_engine = false\n' + BrokerTest.more
