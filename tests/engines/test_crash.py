# SPDX-License-Identifier: Apache-2.0

"""Stacks stay usable, and locks in effect, if an engine is killed or hangs."""

import json
import time

from tests.engines import base
from tests.engines import row_lock
from tests.stress import database_state
from tests.stress import operations
from tests.stress import templates

_SLOW = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'},
                   'seconds': {'type': 'number', 'default': 0}},
    'resources': {'test': {
        'type': 'OS::Heat::TestResource',
        'properties': {'value': {'get_param': 'value'},
                       'wait_secs': {'get_param': 'seconds'}}}},
}

_PARAMETERS = {'value': {'type': 'string', 'default': 'one'},
               'fail': {'type': 'boolean', 'default': False},
               'seconds': {'type': 'number', 'default': 0}}
_VALUES = {name: {'get_param': name} for name in _PARAMETERS}
# One branch fails, and then an engine still works on the other branch.
_MEMBER = json.dumps({
    'heat_template_version': '2018-08-31', 'parameters': _PARAMETERS,
    'resources': {
        'fails': {'type': 'OS::Heat::TestResource', 'properties': {
            'value': _VALUES['value'], 'fail': _VALUES['fail'],
            # The other branch starts first.
            'action_wait_secs': {'update': 2}}},
        'works': {'type': 'OS::Heat::TestResource', 'properties': {
            'value': _VALUES['value'], 'wait_secs': _VALUES['seconds']}}}})
_FAILING = {
    'heat_template_version': '2018-08-31', 'parameters': _PARAMETERS,
    'resources': {'inner': {'type': 'nested.yaml', 'properties': _VALUES}}}

# Longer than it takes the stacks to fail, and shorter than an engine hangs.
_WORK_SECONDS = 10

# Rows that stop the lock's transaction: it locks the resources first, the
# stacks next, and writes Heat's StackLock last.
_PLACES = {
    'resource': 'SELECT id FROM resource WHERE stack_id = :id FOR UPDATE',
    'stack': 'SELECT id FROM stack WHERE id = :id FOR UPDATE',
    'stack_lock': 'INSERT INTO stack_lock (stack_id, engine_id) '
                  "VALUES (:id, 'nobody')",
}


class CrashTest(base.CloudTestCase):
    def _tree(self):
        path = self.client.create_stack(
            f'web-{self.id().rpartition(".")[2][5:60]}', templates.TREE,
            files=templates.FILES)
        database = database_state.Database(self.cloud.database_url)
        self.addCleanup(database.close)
        return operations.Target(self.client, path, database,
                                 templates.TREE)

    def _level(self, target):
        (level,), = self.query('SELECT lock_level FROM stack WHERE id = :id',
                               id=target.stack_id)
        return level

    def _levels(self, target):
        """Return the lock levels of the tree, each once."""
        ids = [target.stack_id, *target.database.nested_ids(target.stack_id)]
        rows = self.query('SELECT id, lock_level FROM stack')
        return {row.lock_level for row in rows if row.id in ids}

    def _kill_while(self, target, action, statement):
        """Kill the engine that works on *action*, in its transaction."""
        nested, *_ = target.database.nested_ids(target.stack_id)
        with row_lock.held(self.cloud, statement, id=nested):
            pending = self.in_background(self.act, target.path, action)
            row_lock.wait_for_victim(self.cloud).kill()
        row_lock.wait_until_nobody_waits(self.cloud)
        return pending

    def _assert_usable(self, target):
        """Lock, refuse, unlock, update and delete, by the other engine."""
        self.assert_status(200, self.act(target.path, 'lock'))
        self.assertEqual({'stacks'}, self._levels(target))
        self.assert_status(409, operations.PATCH.send(target))
        self._assert_deletable(target)

    def _assert_deletable(self, target):
        self.assert_status(200, self.act(target.path, 'unlock'))
        self.assertEqual({None}, self._levels(target))
        self.assertEqual([], target.database.leftovers(target.stack_id))
        self.assert_status(202, operations.UPDATE.send(target))
        self.client.wait_for_stack(target.path, ['UPDATE_COMPLETE'])
        self.assert_status(204, self.client.delete(target.path))
        self.client.wait_for_stack(target.path, ['DELETE_COMPLETE'])

    def _lock_is_undone(self, place):
        target = self._tree()
        before = target.database.picture(target.stack_id)
        number = target.database.last_event()
        pending = self._kill_while(target, 'lock', _PLACES[place])
        self.assertEqual({None}, self._levels(target))
        self.assertEqual([], database_state.changes(
            before, target.database.picture(target.stack_id)))
        self.assertEqual([], target.database.events(target.stack_id, number))
        # The client still waits for the answer to its lock request.
        self._assert_usable(target)
        self.assertNotEqual(200, pending.result().status_code)

    def test_lock_rolled_back_if_killed_waiting_for_resource(self):
        self._lock_is_undone('resource')

    def test_lock_rolled_back_if_killed_waiting_for_stack(self):
        self._lock_is_undone('stack')

    def test_lock_rolled_back_if_killed_with_all_rows_locked(self):
        self._lock_is_undone('stack_lock')

    def test_stack_stays_locked_if_killed_during_unlock(self):
        target = self._tree()
        self.assert_status(200, self.act(target.path, 'lock'))
        pending = self._kill_while(target, 'unlock', _PLACES['stack'])
        self.assertEqual({'stacks'}, self._levels(target))
        self.assert_status(409, operations.PATCH.send(target))
        self._assert_deletable(target)
        self.assertNotEqual(200, pending.result().status_code)

    def test_other_engine_unlocks_if_killed_during_expiration(self):
        target = self._tree()
        self.assert_status(200, self.act(target.path, 'lock', {
            'level': 'stacks', 'expires_at': '2099-12-24T18:00:00Z'}))
        nested, *_ = target.database.nested_ids(target.stack_id)
        with row_lock.held(self.cloud, _PLACES['stack'], id=nested):
            self._let_end_come(target)
            row_lock.wait_for_victim(self.cloud).kill()
        row_lock.wait_until_nobody_waits(self.cloud)
        self.assertEqual({'stacks'}, self._levels(target))
        self.assert_status(409, operations.PATCH.send(target))
        # The time of the next attempt is stored.
        (attempts, is_later), = self.query(
            'SELECT unlock_attempts, unlock_at > expires_at '
            'FROM heat_extras_guard WHERE stack_id = :id', id=target.stack_id)
        self.assertEqual((1, True), (attempts, bool(is_later)))
        self._let_end_come(target)
        self.wait_for('the other engine to lift it', lambda: self._levels(
            target), lambda levels: levels == {None})
        self.assertEqual([], self.query(
            'SELECT * FROM heat_extras_guard WHERE stack_id = :id',
            id=target.stack_id))
        self._assert_usable(target)

    def _let_end_come(self, target):
        """Set the expiration time of the lock to a time in the past."""
        self.change("UPDATE heat_extras_guard SET expires_at = '2026-11-20', "
                    "unlock_at = '2026-11-20' WHERE stack_id = :id",
                    id=target.stack_id)

    def test_stack_is_usable_after_kill_during_lock_and_restart(self):
        target = self._tree()
        pending = self._kill_while(target, 'lock', _PLACES['resource'])
        self.cloud.ensure_engines()
        self._assert_usable(target)
        self.assertNotEqual(200, pending.result().status_code)

    def test_lock_after_update_of_killed_engine_is_canceled(self):
        path = self.client.create_stack('slow-' + self.kind_name(), _SLOW)
        stack_id = path.rpartition('/')[2]
        self.assert_status(202, self.client.patch(path, {
            'parameters': {'value': 'two', 'seconds': 600}}))
        dead_id = self._kill_worker(stack_id)
        answer = self.assert_status(409, self.act(path, 'lock'))
        self.assertIn('UPDATE_IN_PROGRESS', answer.text)
        # As an operator does if the engine of an update is down.
        self.assert_status(200, self.act(path, 'cancel_without_rollback'))
        self.wait_for('UPDATE_FAILED', lambda: self.query(
            'SELECT action, status FROM stack WHERE id = :id', id=stack_id),
            lambda rows: rows[0].status == 'FAILED')
        self.assertEqual([(dead_id,)], self.query(
            'SELECT engine_id FROM resource WHERE stack_id = :id',
            id=stack_id))
        # Until it has not reported for two periodic_interval.
        self.wait_for('the engine to be considered down', lambda: self.act(
            path, 'lock').status_code, lambda status: status != 409)
        self.assertEqual([(None,)], self.query(
            'SELECT engine_id FROM resource WHERE stack_id = :id',
            id=stack_id))
        self.assert_status(200, self.act(path, 'unlock'))
        self.assert_status(204, self.client.delete(path))

    def kind_name(self):
        return type(self).__name__.lower()

    def _kill_worker(self, stack_id):
        """Kill the engine that holds the resource; returns its id."""
        (engine_id,), = self.wait_for(
            'an engine works on the resource', lambda: self.query(
                'SELECT engine_id FROM resource WHERE stack_id = :id AND '
                "engine_id IS NOT NULL AND status = 'IN_PROGRESS'",
                id=stack_id))
        victim, = [engine for name, engine in self.cloud.engines.items()
                   if self.cloud.engine_id(name) == engine_id]
        victim.kill()
        return engine_id

    def test_stack_lock_row_of_dead_engine_is_ignored(self):
        target = self._tree()
        for nested in target.database.nested_ids(target.stack_id):
            self.change("INSERT INTO stack_lock (stack_id, engine_id) "
                        "VALUES (:id, 'dead')", id=nested)
        self._assert_usable(target)

    def test_stack_lock_row_of_live_engine_rejects_lock(self):
        target = self._tree()
        engine_id = self.cloud.engine_id('engine-1')
        self.change('INSERT INTO stack_lock (stack_id, engine_id) '
                    'VALUES (:id, :engine)', id=target.stack_id,
                    engine=engine_id)
        for _ in range(4):
            # Both engines reject the lock, also the engine with this ID.
            self.assertIn(engine_id, self.assert_status(
                409, self.act(target.path, 'lock')).text)
        self.change('DELETE FROM stack_lock')
        self._assert_usable(target)


class MariaDBTest(CrashTest):
    kind = base.MARIADB

    def test_stack_is_usable_if_resumed_engine_was_ignored_by_lock(self):
        path = self.client.create_stack(
            'tree', _FAILING, files={'nested.yaml': _MEMBER})
        self.assert_status(202, self.client.patch(path, {'parameters': {
            'value': 'two', 'fail': True, 'seconds': _WORK_SECONDS}}))
        self.client.wait_for_stack(path, ['UPDATE_FAILED'])
        worker = self._engine_of('works')
        worker.pause()
        self.addCleanup(worker.go_on)
        requests = []
        self.wait_for('a lock by the other engine', lambda: self._lock(
            path, requests))
        self.assertEqual([('UPDATE', 'FAILED', None)], self._states('works'))
        worker.go_on()
        # The lock requests that this engine received while it hung.
        for request in requests:
            request.result()
        self.assert_status(200, self.act(path, 'unlock'))
        self.assert_status(200, self.act(path, 'lock'))
        self.assert_status(200, self.act(path, 'unlock'))
        self.assert_status(202, self.client.patch(path, {'parameters': {
            'value': 'three', 'fail': False, 'seconds': 0}}))
        self.client.wait_for_stack(path, ['UPDATE_COMPLETE'])
        self.assert_status(204, self.client.delete(path))
        self.client.wait_for_stack(path, ['DELETE_COMPLETE'])

    def _lock(self, path, requests):
        requests.append(self.in_background(self.act, path, 'lock'))
        time.sleep(1)
        return any(request.done() and request.result().status_code == 200
                   for request in requests)

    def _states(self, resource):
        return [tuple(row) for row in self.query(
            'SELECT action, status, engine_id FROM resource '
            'WHERE name = :name', name=resource)]

    def _engine_of(self, resource):
        (_, _, engine_id), = self._states(resource)
        return next(engine for name, engine in self.cloud.engines.items()
                    if self.cloud.engine_id(name) == engine_id)


class PostgreSQLTest(CrashTest):
    kind = base.POSTGRESQL
