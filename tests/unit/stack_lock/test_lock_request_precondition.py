# SPDX-License-Identifier: Apache-2.0

"""The lock ID that a request expects."""

import datetime
import types

import testtools

from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_request

ID = '5c0e41d0-9f3a-4b0e-8a53-a0a5ab9b0d3e'
OTHER = '11111111-9f3a-4b0e-8a53-a0a5ab9b0d3e'
WEB = types.SimpleNamespace(id='1234', name='web')
LOCKED = lock_record.Lock(level='all', action='LOCK', status='COMPLETE', id=ID,
                          set_at=datetime.datetime(2026, 11, 20, 10, 2, 11))


class ParsePreconditionTest(testtools.TestCase):

    def test_valid_ids_are_parsed(self):
        self.assertIsNone(lock_request.parse_precondition(None, 'lock'))
        self.assertIsNone(lock_request.parse_precondition(None, 'unlock'))
        self.assertIsNone(
            lock_request.parse_precondition({'id': None}, 'lock').id)
        for spelled in ID, ID.upper(), ID.replace('-', ''):
            parsed = lock_request.parse_precondition({'id': spelled}, 'unlock')
            self.assertEqual(ID, parsed.id)

    def test_invalid_ids_are_rejected(self):
        for action, value, message in (
                ('lock', '', "''"), ('lock', 5, 'or null if the stack'),
                ('unlock', None, 'None must be a UUID: the ID of the lock'),
                ('unlock', {'id': ID}, 'Invalid id in unlock')):
            error = self.assertRaises(
                errors.StackLockInvalid, lock_request.parse_precondition,
                {'id': value},
                action)
            self.assertIn(message, str(error))

    def test_invalid_rpc_values_are_rejected(self):
        for value in {}, [], 'x', {'id': ID, 'level': 'all'}:
            self.assertRaises(errors.StackLockInvalid,
                              lock_request.parse_precondition, value, 'lock')


class PreconditionCheckTest(testtools.TestCase):

    def refused(self, id, lock):
        return str(self.assertRaises(
            errors.StackLockConflict,
            lock_request.Precondition(id).check, WEB, lock))

    def test_met_precondition_is_accepted(self):
        lock_request.Precondition(ID).check(WEB, LOCKED)
        lock_request.Precondition(None).check(WEB, lock_record.UNLOCKED)

    def test_different_lock_is_rejected_with_id_in_effect(self):
        self.assertIn(
            f'Lock {OTHER} is not in effect on stack web (1234): lock {ID} '
            '(level all, since 2026-11-20T10:02:11Z) is in effect, and was '
            'not changed.',
            self.refused(OTHER, LOCKED))

    def test_id_of_removed_lock_is_rejected(self):
        self.assertIn('not locked. The stack was not changed. To lock the '
                      'stack: openstack stack lock web.',
                      self.refused(ID, lock_record.UNLOCKED))

    def test_null_id_is_rejected_for_locked_stack(self):
        self.assertIn(f'Stack web (1234) is locked: lock {ID} (level all',
                      self.refused(None, LOCKED))
