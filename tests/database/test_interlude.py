# SPDX-License-Identifier: Apache-2.0

"""What came while locks were off is found and closed, on every database."""

import concurrent.futures
import datetime
from unittest import mock

import fixtures
from heat.db import models
from oslo_utils import timeutils

from heat_extras.db import interlude as found
from heat_extras.stack_lock import interlude
from tests.database import base

ENGINES = 3


class InterludeTest(base.DatabaseTest):

    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())
        self.unguarded = self.useFixture(fixtures.MockPatchObject(
            interlude.engine_check, 'unguarded', return_value=[])).mock
        self.addCleanup(interlude._over.clear)
        self.root, *_ = self.forest.add_tree(3, 2)

    def close(self, name='one'):
        interlude.close(mock.Mock(engine_id=name))

    def half_locked(self):
        with self.engine.connect() as connection:
            return [row.id for row in found.half_locked(connection)]

    def outlived(self):
        with self.engine.connect() as connection:
            return [row.id for row in found.outlived(connection)]

    def add_members(self):
        """Add a nested stack with one of its own, below a locked one."""
        below = self.forest.rows(models.Stack, owner_id=self.root)[0].id
        one = self.forest.add_stack(below)
        return one, self.forest.add_stack(one)

    def add_event(self, action, seconds):
        """Add an event of the root itself."""
        self.forest.insert(
            models.Event, stack_id=self.root, uuid=f'{action}{seconds}',
            physical_resource_id=self.root, resource_action=action,
            resource_name='stack', resource_status='COMPLETE',
            resource_status_reason='', resource_type='OS::Heat::Stack',
            created_at=timeutils.utcnow()
            + datetime.timedelta(seconds=seconds))

    def test_members_are_locked_as_their_root_is(self):
        self.lock(self.root, level='all')
        members = self.add_members()
        before = {id: self.stack(id) for id in members}
        self.forest.add_resource(members[1], atomic_key=7)
        self.assertEqual([members[0]], self.half_locked())
        self.close()
        self.assertEqual([], self.half_locked())
        root = self.stack(self.root)
        for id in members:
            row = self.stack(id)
            for name in ('lock_level', 'lock_action', 'lock_status',
                         'lock_reason', 'locked_by', 'lock_rank',
                         'locked_at', 'lock_id'):
                self.assertEqual(getattr(root, name), getattr(row, name))
            self.assertNotEqual(before[id].current_traversal,
                                row.current_traversal)
        resource, = self.forest.rows(models.Resource, stack_id=members[1])
        self.assertGreater(resource.atomic_key, 7)
        self.assertEqual([], self.forest.rows(models.StackLock))
        self.assertIn('2 nested stacks came while locks were off',
                      root.lock_status_reason)

    def lock(self, root_id, level='stacks', **options):
        outcome = super().lock(root_id, level=level, **options)
        if level == 'all':
            # As its thread does in the end.
            interlude.lock_transaction.finish_tree(
                self.context, root_id, 'LOCK', outcome.operation_id)
        return outcome

    def test_what_runs_is_waited_for(self):
        self.lock(self.root)
        members = self.add_members()
        table = models.Stack.__table__
        with self.engine.begin() as connection:
            connection.execute(table.update().where(
                table.c.id == members[1]).values(status='IN_PROGRESS'))
        self.close()
        self.assertFalse(self.is_locked(members[0]))
        self.assertIn('CREATE_IN_PROGRESS', self.log.output)
        with self.engine.begin() as connection:
            connection.execute(table.update().where(
                table.c.id == members[1]).values(status='COMPLETE'))
        self.close()
        self.assertTrue(self.is_locked(members[0]))

    def test_several_engines_close_it_once(self):
        self.lock(self.root)
        self.add_members()
        events = len(self.forest.rows(models.Event))
        with concurrent.futures.ThreadPoolExecutor(ENGINES) as pool:
            list(pool.map(self.close, map(str, range(ENGINES))))
        self.assertEqual([], self.half_locked())
        self.assertEqual(events + 3, len(self.forest.rows(models.Event)))

    def test_one_look_is_enough_where_all_engines_carry_locks(self):
        look = self.useFixture(fixtures.MockPatchObject(
            interlude, '_close', side_effect=[False, True])).mock
        for wanted in (1, 2, 2, 2):
            self.close()
            self.assertEqual(wanted, look.call_count)
        look.side_effect = None
        self.unguarded.return_value = ['old']
        for wanted in (3, 4):
            self.close()
            self.assertEqual(wanted, look.call_count)
        self.unguarded.return_value = []
        for wanted in (5, 5):
            self.close()
            self.assertEqual(wanted, look.call_count)

    def test_an_unlock_is_forgotten_after_a_later_operation_alone(self):
        self.lock(self.root)
        interlude.lock_transaction.unlock_tree(self.context, self.root,
                                               base.allow)
        self.add_event('CREATE', -100)
        self.close()
        self.assertEqual('UNLOCK', self.stack(self.root).lock_action)
        self.add_event('UPDATE', 100)
        self.assertEqual([self.root], self.outlived())
        interlude._over.clear()
        self.close()
        self.assertIsNone(self.stack(self.root).lock_action)
        self.assertEqual([], self.outlived())

    def test_nothing_locked_costs_one_look(self):
        self.assertEqual(([], []), (self.half_locked(), self.outlived()))
        before = self.forest.dump()
        self.close()
        self.assertEqual(before, self.forest.dump())

    def work_on(self, *ids):
        """Let an operation work on some stacks, each with a resource."""
        stacks, resources = (model.__table__ for model in (
            models.Stack, models.Resource))
        with self.engine.begin() as connection:
            connection.execute(stacks.update().where(
                stacks.c.id.in_(ids)).values(
                    action='UPDATE', status='IN_PROGRESS'))
            connection.execute(resources.update().where(
                resources.c.stack_id.in_(ids)).values(
                    action='UPDATE', status='IN_PROGRESS', engine_id='old'))

    def cut_off(self):
        with self.engine.connect() as connection:
            return {row.id for row in found.cut_off(connection)}

    def test_what_is_under_way_below_a_lock_has_failed(self):
        free, *_ = self.forest.add_tree(1)
        nested = self.forest.rows(models.Stack, owner_id=self.root)[0].id
        self.lock(self.root)
        before = {id: self.stack(id) for id in (self.root, nested)}
        self.work_on(self.root, nested, free)
        self.forest.add_stack(self.root, backup=True, status='IN_PROGRESS',
                              lock_level='stacks')
        self.assertEqual(set(before), self.cut_off())
        self.close()
        self.assertEqual(set(), self.cut_off())
        for id, row in before.items():
            after = self.stack(id)
            self.assertEqual(('UPDATE', 'FAILED', 'stacks', 'COMPLETE'), (
                after.action, after.status, after.lock_level,
                after.lock_status))
            self.assertNotEqual(row.current_traversal,
                                after.current_traversal)
            resource, = self.forest.rows(models.Resource, stack_id=id)
            self.assertEqual(('FAILED', None),
                             (resource.status, resource.engine_id))
            event, = self.forest.rows(models.Event, stack_id=id,
                                      resource_action='UPDATE')
            self.assertIn('Unlock the stack', event.resource_status_reason)
        self.assertEqual('IN_PROGRESS', self.stack(free).status)
        self.lock(self.root)

    def test_it_goes_on_while_an_engine_without_locks_is_alive(self):
        self.lock(self.root)
        self.work_on(self.root)
        self.unguarded.return_value = ['old']
        before = self.forest.dump()
        self.close()
        self.assertEqual(before, self.forest.dump())
        self.unguarded.return_value = []
        self.close()
        self.assertEqual('FAILED', self.stack(self.root).status)
