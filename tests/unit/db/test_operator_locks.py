# SPDX-License-Identifier: Apache-2.0

import datetime

import testtools

from heat_extras.db import models
from heat_extras.db import operator_locks
from tests.database import statements as tests_statements
from tests.unit.db import base


MOMENT = datetime.datetime(2026, 11, 19)


class LockAdminTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.database = self.useFixture(base.HeatDatabase(extended=True))
        self.engine = self.database.engine

    def names(self, **filters):
        return [row.name for row in operator_locks.list_locks(self.engine,
                                                              **filters)]

    def test_lists_locked_stacks_oldest_lock_first(self):
        self.database.add_stack('1', name='free')
        self.database.add_locked_stack('2', name='web')
        self.database.add_locked_stack('3', name='old',
                                       guard={'set_at': None})
        self.assertEqual(['old', 'web'], self.names())

    def test_lists_one_project_on_demand(self):
        self.database.add_locked_stack('1', name='web', tenant='demo')
        self.database.add_locked_stack('2', name='mail', tenant='other')
        self.assertEqual(['mail'], self.names(project='other'))

    def test_counts_root_stacks_by_kind_in_single_statement(self):
        for number, (columns, guard) in enumerate((
                ({}, {}), ({}, {'set_at': MOMENT}),
                ({'delete_protection_id': 'p'}, {}),
                ({'owner_id': '1'}, {}), ({'deleted_at': MOMENT}, {}),
                ({'lock_level': None, 'lock_passing': 'stacks'},
                 {'action': None, 'status': None}))):
            self.database.add_locked_stack(f'locked-{number}', guard,
                                           **columns)
        self.database.add_guard('locked-2', id='p', kind='delete_protection',
                                rank='admin')
        self.database.add_protected_stack('protected')
        self.database.add_locked_stack(
            'free', {'level': None, 'action': 'UNLOCK'}, lock_level=None)
        self.database.add_protected_stack('nothing-by-now',
                                          delete_protection_id=None)
        statements = self.useFixture(tests_statements.Statements(self.engine))
        counts = {(row.kind, row.level, row.rank): row
                  for row in operator_locks.count_by_kind(self.engine)}
        self.assertEqual(1, len(statements.sent))
        self.assertEqual(
            {('delete_protection', None, 'member'): 1,
             ('delete_protection', None, 'admin'): 1,
             ('lock', 'stacks', 'member'): 4},
            {kind: row.stacks for kind, row in counts.items()})
        kind = counts['lock', 'stacks', 'member']
        self.assertEqual(('LOCK', 'COMPLETE', MOMENT),
                         (kind.action, kind.status, kind.since))

    def test_unlock_all_clears_locks_and_keeps_other_columns(self):
        self.database.add_locked_stack(
            '1', status='FAILED', updatable='{"key_name": false}')
        self.database.add_locked_stack(
            '2', {'level': None, 'action': 'UNLOCK'}, lock_level=None)
        operator_locks.remove_all(self.engine, models.LOCK)
        self.assertEqual([], self.database.rows('heat_extras_guard'))
        first, second = self.database.rows('stack')
        for row in (first, second):
            self.assertEqual({None}, {value for name, value in row.items()
                                      if name.startswith('lock')})
        self.assertEqual('FAILED', first['status'])
        self.assertEqual('{"key_name": false}', first['updatable'])

    def test_unprotect_all_keeps_locks(self):
        self.database.add_protected_stack('1')
        self.database.add_locked_stack('2')
        operator_locks.remove_all(self.engine, models.DELETE_PROTECTION)
        protected, locked = self.database.rows('stack')
        self.assertEqual({None}, {value for name, value in protected.items()
                                  if name.startswith('delete_protect')})
        self.assertEqual('stacks', locked['lock_level'])

    def test_reset_adds_event_to_root_stack(self):
        self.database.add_locked_stack(
            '1', {'action': 'UNLOCK', 'status': 'IN_PROGRESS'}, name='web')
        self.database.add_locked_stack('2', owner_id='1')
        self.assertEqual(2, operator_locks.reset_lock(self.engine, '1'))
        event, = self.database.rows('event')
        self.assertEqual(
            ('1', 'web', '1', 'OS::Heat::Stack', 'UNLOCK', 'FAILED',
             'Lock state reset by a cloud operator with heat-extras-manage'),
            tuple(event[name] for name in (
                'stack_id', 'resource_name', 'physical_resource_id',
                'resource_type', 'resource_action', 'resource_status',
                'resource_status_reason')))
        self.assertEqual((36, True), (len(event['uuid']),
                                      event['created_at'] is not None))

    def test_reset_without_operation_adds_no_event(self):
        self.database.add_locked_stack('1')
        self.assertEqual(0, operator_locks.reset_lock(self.engine, '1'))
        self.assertEqual([], self.database.rows('event'))
