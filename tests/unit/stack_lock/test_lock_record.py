# SPDX-License-Identifier: Apache-2.0

"""The lock in messages and fields of stacks."""

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
                          set_by='alice', set_by_project='p1', rank='member',
                          set_at=SINCE, id='a1')


def row(**columns):
    """Make a row of the query for a locked stack."""
    return types.SimpleNamespace(**{
        **{column.name: column.name for column in models.guard_table.c},
        'lock_level': 'all', 'lock_passing': None, 'lock_id': 'id',
        'action': 'LOCK', 'set_at': SINCE, 'has_pass': True, **columns})


PASS_ROW = row(pass_user_id='b1', pass_user_name=None, pass_expires_at=SINCE,
               pass_granted_by_project='p1')


class LockTest(testtools.TestCase):
    def test_rejection_names_lock_and_unlock_command(self):
        self.assertEqual(
            'Stack web (1234) is locked (level all) by alice since '
            '2026-11-20T10:02:11Z: db move. To unlock the stack: openstack '
            'stack unlock web. Required policy: actions:unlock.',
            LOCKED.describe('web', '1234', 'p1'))

    def test_update_rejection_describes_lock_pass_grant(self):
        lock = lock_record.Lock(level='stacks', action='LOCK',
                                status='COMPLETE',
                                set_at=SINCE)
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

    def test_update_rejection_mentions_existing_lock_pass(self):
        lock = lock_record.Lock(level='stacks', action='LOCK',
                                status='COMPLETE',
                                set_at=SINCE, pass_row=PASS_ROW)
        for project, user in (('p1', 'to the user with the ID b1'),
                              ('p2', 'by a user of another project')):
            message = lock.describe('web', '1234', project, None, 'update')
            self.assertTrue(message.endswith(
                'actions:unlock. The stack already has a lock pass, granted '
                f'{user} until 2026-11-20T10:02:11Z.'), message)
        for other in ({'root_name': 'around', 'operation': 'update'},
                      {'operation': 'delete'}):
            self.assertNotIn('lock pass', lock.describe(
                'web', '1234', 'p1', **other))

    def test_rejection_of_nested_stack_names_root_stack(self):
        self.assertIn('Stack web-group-x (1234) is locked',
                      LOCKED.describe('web-group-x', '1234', 'p1', 'web'))
        self.assertIn('openstack stack unlock web.',
                      LOCKED.describe('web-group-x', '1234', 'p1', 'web'))

    def test_user_name_is_hidden_from_other_projects(self):
        text = LOCKED.describe('web', '1234', 'p2')
        self.assertNotIn('alice', text)
        self.assertIn('by a user of another project', text)
        self.assertIsNone(lock_record.public_fields(LOCKED, 'p2')['locked_by'])

    def test_rejection_without_reason_has_no_colon(self):
        lock = lock_record.Lock(level='stacks', set_at=SINCE)
        self.assertIn('since 2026-11-20T10:02:11Z. To unlock the stack',
                      lock.describe('web', '1234', None))

    def test_administrator_lock_names_override_policy_first(self):
        lock = lock_record.Lock(level='stacks', rank='admin', action='LOCK',
                                status='COMPLETE', set_at=SINCE)
        text = lock.describe('web', '1234', None, operation='update')
        self.assertIn(
            'Z. An administrator has set this lock. Required policy: '
            'actions:unlock_override. To unlock the stack: openstack stack '
            'unlock web. To allow only this update, a user with policy '
            'actions:lock_pass and actions:unlock_override can grant', text)

    def test_fields_of_unlocked_stack_are_null(self):
        self.assertEqual(
            {'lock_level': None, 'lock_status': None,
             'lock_status_reason': None, 'lock_id': None,
             'lock_reason': None, 'locked_by': None, 'locked_at': None,
             'lock_expires_at': None, 'lock_pass': None},
            lock_record.public_fields(
                lock_record.Lock(action='UNLOCK', status='COMPLETE'), 'p1'))

    def test_fields_of_locked_stack(self):
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

    def test_status_overlay_decides_if_lock_is_shown(self):
        unlocked = lock_record.Lock(action='UNLOCK', status='COMPLETE')
        for lock, overlay, covers in (
                (LOCKED, 'full', True), (LOCKED, 'off', False),
                (unlocked, 'full', True), (unlocked, 'off', False),
                (lock_record.UNLOCKED, 'full', False)):
            self.assertEqual(covers, lock.covers(overlay), (lock, overlay))

    def test_lock_with_used_lock_pass_rejects_changes(self):
        lock = lock_record.Lock.from_row(row(
            lock_level=None, lock_passing='stacks', action=None))
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

    def test_record_is_read_from_every_column(self):
        lock = lock_record.Lock.from_row(row())
        self.assertEqual('set_by_project', lock.set_by_project)
        self.assertEqual('all', lock.level)
        self.assertEqual([], [
            name for name, value in vars(lock).items() if value is None])

    def test_stack_without_row_stays_locked(self):
        lock = lock_record.Lock.from_row(row(
            id=None, action=None, status=None, status_reason=None))
        self.assertEqual(('all', 'LOCK_COMPLETE'),
                         (lock.level, '_'.join(lock.state)))

    def test_row_of_unlocked_stack_has_only_state(self):
        lock = lock_record.Lock.from_row(row(
            lock_level=None, level=None, action='UNLOCK', status='COMPLETE'))
        self.assertEqual((None, None, 'UNLOCK', 'COMPLETE'), (
            lock.level, lock.id, lock.action, lock.status))


class IsSetByTest(testtools.TestCase):
    def test_lock_is_set_only_by_known_user(self):
        for set_by_id, user_id, wanted in (
                ('u1', 'u1', True), ('u1', 'u2', False),
                (None, None, False), ('u1', None, False),
                (None, 'u1', False)):
            lock = dataclasses.replace(LOCKED, set_by_id=set_by_id)
            self.assertEqual(wanted, lock.is_set_by(user_id))
