# SPDX-License-Identifier: Apache-2.0

"""Tests of changes that a rollback may make despite a policy."""

import types
from unittest import mock

import fixtures
from heat.engine import rsrc_defn
import testtools

from heat_extras.pre_update_state import current_update
from heat_extras.update_policy import rollback_check
from heat_extras.update_policy import rules

_ROLLBACK = current_update.CurrentUpdate('ROLLBACK', 'update')
_KEPT = rules.Allow(replace=False)

_RECORDED = {'resources': {'1': []}}


def _definition(value='one', kind='OS::Heat::TestResource', **more):
    return rsrc_defn.ResourceDefinition('a', kind, {'value': value}, **more)


def _row(row_id, physical='p'):
    return types.SimpleNamespace(id=row_id, physical_resource_id=physical)


class BaselineTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        recorded = {
            'changed': {'stack': None, 'resources': {
                '1': ['p', rollback_check._compute_digest(_definition()),
                      [None, False]]}},
            'untouched': None}
        self.read = self.useFixture(fixtures.MockPatchObject(
            current_update, 'read_state',
            side_effect=lambda context, stack_id, *args: recorded[stack_id]
        )).mock
        self.baseline, self.untouched = (
            rollback_check.Baseline(None, stack_id, _ROLLBACK)
            for stack_id in ('changed', 'untouched'))

    def test_unrecorded_resource_is_new(self):
        self.assertFalse(self.baseline.is_new(1))
        self.assertTrue(self.baseline.is_new(2))
        self.assertFalse(self.untouched.is_new(2))

    def test_nested_stack_with_other_physical_id_is_new(self):
        self.assertFalse(self.baseline.is_nested_stack_new(_row(1)))
        self.assertTrue(self.baseline.is_nested_stack_new(_row(1, 'other')))
        self.assertFalse(self.untouched.is_nested_stack_new(_row(1)))

    def test_restores_is_true_only_for_recorded_definition(self):
        self.assertTrue(self.baseline.restores(1, _definition()))
        self.assertTrue(self.baseline.restores(1, _definition(
            depends=['b'], deletion_policy='Retain')))
        for other in (_definition('two'), _definition(kind='Other'),
                      _definition(metadata={'a': 1}),
                      _definition(update_policy={'a': 1})):
            self.assertFalse(self.baseline.restores(1, other))
        self.assertFalse(self.baseline.restores(2, _definition()))
        self.assertFalse(self.untouched.restores(1, _definition()))
        self.assertFalse(self.untouched.restores_stack(None))

    def test_allow_before_is_recorded_allow(self):
        self.assertEqual(_KEPT, self.baseline.allow_before(1, _definition()))
        self.assertEqual(rules.Allow(),
                         self.untouched.allow_before(1, _definition()))

    def test_allow_kept_has_recorded_allow(self):
        self.assertEqual(_KEPT, self.baseline.allow_kept(
            1, _definition(), _definition()))
        self.assertEqual(rules.Allow(), self.untouched.allow_kept(
            1, _definition(), _definition()))

    def test_allow_around_is_recorded_allow_of_parent(self):
        self.assertEqual(_KEPT, self.baseline.allow_around('p'))
        self.assertEqual(rules.Allow(), self.baseline.allow_around('other'))
        self.assertEqual(rules.Allow(), self.untouched.allow_around('p'))

    def test_allow_removed_is_recorded_allow(self):
        row = types.SimpleNamespace(id=1, t=_definition())
        self.assertEqual(_KEPT, self.baseline.allow_removed(row, None))

    def test_update_of_root_stack_reads_no_baseline(self):
        stack = types.SimpleNamespace(context=None, id='1', owner_id=None,
                                      action='UPDATE')
        with mock.patch.object(current_update, 'find_update') as find:
            self.assertIs(rollback_check.UPDATE,
                          rollback_check.find_baseline(stack))
        find.assert_not_called()

    def test_nested_baseline_is_read_for_same_update(self):
        self.assertFalse(self.baseline.nested('untouched').is_new(1))
        self.read.assert_called_once_with(None, 'untouched', 'resources',
                                          'update')

    def test_only_rollback_restores_recorded_definition(self):
        stack = types.SimpleNamespace(context=None, id='changed',
                                      owner_id='0')
        for action, is_rollback in (('UPDATE', False), ('RESTORE', False),
                                    ('ROLLBACK', True)):
            with mock.patch.object(
                    current_update, 'find_update',
                    return_value=current_update.CurrentUpdate(
                        action, 'update')):
                actual = rollback_check.find_baseline(stack)
            self.assertEqual(is_rollback, actual.is_rollback)
            self.assertTrue(actual.is_new(2))
            self.assertEqual(is_rollback,
                             actual.restores(1, _definition()))


class NewInUpdateTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.update = current_update.CurrentUpdate('UPDATE', 'key')
        self.useFixture(fixtures.MockPatchObject(
            current_update, 'find_update', lambda *arguments: self.update))
        self.useFixture(fixtures.MockPatchObject(
            current_update, 'read_state',
            lambda context, stack_id, kind, update:
            self.kept if update == 'key' else None))
        self.kept = _RECORDED
        self.stack = mock.Mock(id='nested', owner_id='root')

    def is_of_this_update(self, row_id):
        return rollback_check.find_baseline(self.stack).is_new(row_id)

    def test_unrecorded_resource_is_new_during_update(self):
        self.assertFalse(self.is_of_this_update(1))
        self.assertTrue(self.is_of_this_update(2))

    def test_resource_of_earlier_update_is_not_new(self):
        self.update = current_update.CurrentUpdate('UPDATE', 'key',
                                                   is_in_progress=False)
        self.assertFalse(self.is_of_this_update(2))
        self.update = current_update.CurrentUpdate('UPDATE', 'other')
        self.assertFalse(self.is_of_this_update(2))

    def test_resource_of_root_stack_is_not_new(self):
        self.stack.owner_id = None
        self.assertFalse(self.is_of_this_update(2))


class RecordTest(testtools.TestCase):
    stack = types.SimpleNamespace(
        id='1', name='web', context=None, action='ROLLBACK', convergence=True,
        current_traversal='back')

    def setUp(self):
        super().setUp()
        self.keep = self.useFixture(
            fixtures.MockPatchObject(current_update, 'record_once')).mock
        self.may_have = self.useFixture(
            fixtures.MockPatchObject(rollback_check.policy_flag,
                                     'has_policy_nearby',
                                     return_value=False)).mock

    def test_rollback_records_key_of_undone_update(self):
        rollback_check.record_state(self.stack, rollback_check.RolledBack(
            'update', 'UPDATE'))
        self.assertEqual(('1', 'rolled_back', 'back'),
                         self.keep.call_args.args[1:4])
        self.assertEqual('update', self.keep.call_args.args[4]())

    def test_update_without_policy_records_no_state(self):
        rollback_check.record_state(self.stack)
        self.keep.assert_not_called()

    def test_error_while_recording_is_ignored(self):
        self.may_have.side_effect = ValueError
        rollback_check.record_state(self.stack)
        self.may_have.assert_called_once_with(self.stack)
