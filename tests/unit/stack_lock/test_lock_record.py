# SPDX-License-Identifier: Apache-2.0

"""What people read of a lock."""

import dataclasses
import datetime
import types

import testtools

from heat_extras.db import models
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

SINCE = datetime.datetime(2026, 11, 20, 10, 2, 11, 123456)
END = datetime.datetime(2026, 12, 24, 18)
LOCKED = lock_record.Lock(level='all', action='LOCK', status='COMPLETE',
                          status_reason='done', reason='db move',
                          locked_by='alice', project='p1', rank='member',
                          locked_at=SINCE, id='a1')
ROW = {'lock_level': 'all', 'lock_action': 'LOCK', 'locked_at': SINCE,
       'lock_id': 'a1'}


def row(**columns):
    return types.SimpleNamespace(**{
        **{column.name: column.name for column in models.stack_columns()},
        **ROW, **columns})


class LockTest(testtools.TestCase):
    def test_refusal_names_the_lock_and_the_way_out(self):
        self.assertEqual(
            'Stack web (1234) is locked (level all) by alice since '
            '2026-11-20T10:02:11Z: db move. To unlock the stack: openstack '
            'stack unlock web. Required policy: actions:unlock.',
            LOCKED.describe('web', '1234', 'p1'))

    def test_who_is_refused_an_update_may_ask_for_a_pass(self):
        lock = lock_record.Lock(level='stacks', action='LOCK',
                                status='COMPLETE',
                                locked_at=SINCE)
        ask = ('Required policy: actions:unlock. To allow only this update, a '
               'user with policy actions:lock_pass can grant a lock pass: '
               'openstack stack lock pass grant --user USER --for 1h web.')

        def told(shown_lock=lock, root='web', operation='update'):
            return shown_lock.describe('web', '1234', 'p1', root, operation)

        self.assertTrue(told().endswith(ask), told())
        self.assertEqual(told(), told(root=None))
        for other in (
                told(operation='delete'), told(root='around'),
                told(dataclasses.replace(lock, level='all')),
                told(dataclasses.replace(lock, status='FAILED')),
                told(dataclasses.replace(lock, is_passing=True))):
            self.assertNotIn('can grant a lock pass', other)

    def test_who_is_refused_an_update_learns_of_a_pass_that_is_there(self):
        lock = lock_record.Lock(level='stacks', action='LOCK',
                                status='COMPLETE',
                                locked_at=SINCE, granted=' There is one.')
        message = lock.describe('web', '1234', 'p1', None, 'update')
        self.assertTrue(message.endswith('actions:unlock. There is one.'),
                        message)
        for other in ({'root_name': 'around', 'operation': 'update'},
                      {'operation': 'delete'}):
            self.assertNotIn('There is one', lock.describe(
                'web', '1234', 'p1', **other))

    def test_refusal_of_a_nested_stack_names_the_root(self):
        self.assertIn('Stack web-group-x (1234) is locked',
                      LOCKED.describe('web-group-x', '1234', 'p1', 'web'))
        self.assertIn('openstack stack unlock web.',
                      LOCKED.describe('web-group-x', '1234', 'p1', 'web'))

    def test_other_projects_see_no_name(self):
        text = LOCKED.describe('web', '1234', 'p2')
        self.assertNotIn('alice', text)
        self.assertIn('by a user of another project', text)
        self.assertIsNone(lock_record.public_fields(LOCKED, 'p2')['locked_by'])

    def test_no_reason_leaves_no_colon_behind(self):
        lock = lock_record.Lock(level='stacks', locked_at=SINCE)
        self.assertIn('since 2026-11-20T10:02:11Z. To unlock the stack',
                      lock.describe('web', '1234', None))

    def test_admin_locks_name_the_override_rule(self):
        lock = lock_record.Lock(level='all', rank='admin', locked_at=SINCE)
        self.assertIn('Required policy: actions:unlock_override.',
                      lock.describe('web', '1234', None))

    def test_fields_of_an_unlocked_stack_are_null(self):
        self.assertEqual(
            {'lock_level': None, 'lock_status': None,
             'lock_status_reason': None, 'lock_id': None,
             'lock_reason': None, 'locked_by': None, 'locked_at': None,
             'lock_expires_at': None, 'lock_pass': None},
            lock_record.public_fields(
                lock_record.Lock(action='UNLOCK', status='COMPLETE'), 'p1'))

    def test_fields_of_a_locked_stack(self):
        self.assertEqual(
            {'lock_level': 'all', 'lock_status': 'LOCK_COMPLETE',
             'lock_status_reason': 'done', 'lock_id': 'a1',
             'lock_reason': 'db move', 'locked_by': 'alice',
             'locked_at': '2026-11-20T10:02:11Z',
             'lock_expires_at': None, 'lock_pass': None},
            lock_record.public_fields(LOCKED, 'p1'))
        ending = dataclasses.replace(LOCKED, expires_at=END)
        self.assertEqual(
            '2026-12-24T18:00:00Z',
            lock_record.public_fields(ending, 'p1')['lock_expires_at'])
        self.assertIn(
            'since 2026-11-20T10:02:11Z until 2026-12-24T18:00:00Z: db move.',
            ending.describe('web', '1234', 'p1'))

    def test_overlay(self):
        unlocked = lock_record.Lock(action='UNLOCK', status='COMPLETE')
        for lock, overlay, covers in (
                (LOCKED, 'full', True), (LOCKED, 'locked', True),
                (LOCKED, 'off', False), (unlocked, 'full', True),
                (unlocked, 'locked', False), (unlocked, 'off', False),
                (lock_record.UNLOCKED, 'full', False)):
            self.assertEqual(covers, lock.covers(overlay), (lock, overlay))

    def test_one_whose_pass_is_used(self):
        lock = lock_record.Lock.from_row(row(lock_level=None, lock_action=None,
                                             lock_passing='stacks'))
        self.assertEqual(('stacks', True, True, False),
                         (lock.level, lock.is_locked, lock.is_passing,
                          lock.is_in_effect))
        self.assertEqual(('LOCK', 'COMPLETE'), lock.state)
        self.assertFalse(lock.covers('full'))
        for operation in (operations.UPDATE, states.LOCK,
                          operations.CANCEL,
                          operations.NESTED_CREATE, operations.LOCK_PASS):
            self.assertTrue(lock.refuses(operation), operation)
        for operation in (states.UNLOCK, operations.EXTEND_LOCK,
                          operations.OTHER, operations.READ):
            self.assertFalse(lock.refuses(operation), operation)
        self.assertTrue(lock.ignores(operations.SIGNAL))
        self.assertIn(
            'db move. An operation that the lock allows to finish is in '
            'progress. Until this operation ends, no other operation can '
            'change the stack. The pass user, or a user who may unlock the '
            'stack, can cancel this operation. To unlock the stack: openstack '
            'stack unlock web.',
            dataclasses.replace(LOCKED, is_passing=True).describe(
                'web', '1234', 'p1'))

    def test_row_has_every_column(self):
        lock = lock_record.Lock.from_row(row())
        self.assertEqual('locked_by_project', lock.project)
        self.assertEqual('all', lock.level)
        self.assertEqual(['expires_at', 'granted'], [
            name for name, value in vars(lock).items() if value is None])


class OwnerTest(testtools.TestCase):
    def test_only_a_known_user_has_set_a_lock(self):
        for locked_by_id, user_id, wanted in (
                ('u1', 'u1', True), ('u1', 'u2', False),
                (None, None, False), ('u1', None, False),
                (None, 'u1', False)):
            lock = dataclasses.replace(LOCKED, locked_by_id=locked_by_id)
            self.assertEqual(wanted, lock.is_set_by(user_id))
