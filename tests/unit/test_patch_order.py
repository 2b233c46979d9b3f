# SPDX-License-Identifier: Apache-2.0

"""The order of features on the attributes of Heat that several replace."""

import dataclasses
import inspect
import itertools
from unittest import mock

import fixtures
from heat.common import exception as heat_exception
from oslo_messaging.rpc import dispatcher
import testtools

from heat_extras import activation
from heat_extras import conf
from heat_extras import exception
from heat_extras.lifecycle import in_process_operations
from heat_extras import monkey_patch
from heat_extras.parameters.patches import api_aws_exception
from heat_extras import patch_order
from heat_extras.stack_lock import states

PROCESSES = (activation.ENGINE, activation.API)
_STACK = 'heat.engine.stack:Stack.'
_SERVICE = 'heat.engine.service:EngineService.'


def records(process):
    return activation.records(conf.FEATURES, process)


def records_of(target):
    """Return the records of an attribute, by feature."""
    return {patch_order.feature_of(record): record for process in PROCESSES
            for record in records(process) if record.target == target}


class OwnerTestCase(testtools.TestCase):
    """A class in place of Heat's, with the wrappers of the features."""

    def own(self, **attributes):
        self.owner = type('Owner', (), attributes)
        self.useFixture(fixtures.MockPatch(
            f'{__name__}.Owner', self.owner, create=True))

    def put(self, target, names):
        """Wrap an attribute by features, of which the first is outermost."""
        attribute = target.rpartition('.')[2]
        signature = str(inspect.signature(vars(self.owner)[attribute]))
        target_records = records_of(target)
        chosen = [dataclasses.replace(
            target_records[name], target=f'{__name__}:Owner.{attribute}',
            signatures=(signature,)) for name in reversed(names)]
        monkey_patch.apply(chosen)
        self.addCleanup(monkey_patch.undo, chosen)

    def mock(self, name, **options):
        return self.useFixture(fixtures.MockPatch(
            f'heat_extras.{name}', **options)).mock


class SharedTargetsTest(testtools.TestCase):
    def test_orders_list_features_that_share_target(self):
        features_by_target = {
            target: sorted(names) for process in PROCESSES for target,
            names in patch_order.shared_targets(records(process)).items()}
        for target, each in patch_order.ORDERS.items():
            self.assertEqual(sorted(each.features), features_by_target[target],
                             target)
            self.assertTrue(each.why, target)

    def test_patches_are_applied_in_order(self):
        for process in PROCESSES:
            chosen = records(process)
            monkey_patch.apply(chosen)
            try:
                for target in patch_order.shared_targets(chosen):
                    order = self._installed(target)
                    self.assertEqual(
                        [name for name in patch_order.order_of(target)
                         if name in order], order, target)
            finally:
                monkey_patch.undo(chosen)

    def _installed(self, target):
        """List the features that wrap a target, the outermost first."""
        applied = [each for each in monkey_patch._applied
                   if each.patch.target == target]
        self.assertTrue(applied[-1].is_on_top())
        for inner, outer in itertools.pairwise(applied):
            self.assertIs(inner.installed, outer.original)
        return [patch_order.feature_of(each.patch)
                for each in applied[::-1]]

    def test_any_two_features_keep_order(self):
        for names in itertools.permutations(conf.FEATURES, 2):
            for process in PROCESSES:
                self._check_order(activation.records(names, process))

    def _check_order(self, chosen):
        for target in patch_order.shared_targets(chosen):
            order = [patch_order.feature_of(record) for record in chosen
                     if record.target == target]
            inward = patch_order.order_of(target)[::-1]
            self.assertEqual([name for name in inward if name in order],
                             order, target)


def _one(module, name='one'):
    def replacement():
        """Is never called."""
    replacement.__module__ = f'heat_extras.{module}.somewhere'
    return monkey_patch.Patch(f'm:C.{name}', monkey_patch.WRAP, replacement)


class ArrangeTest(testtools.TestCase):
    _health, _guards = _one('health'), _one('guards')

    def test_default_order_is_used_if_target_has_no_order(self):
        self.assertEqual(
            [self._guards, self._health],
            patch_order.arrange([self._health, self._guards]))

    def _know(self, *names):
        self.useFixture(fixtures.MockPatchObject(patch_order, 'ORDERS', {
            'm:C.one': patch_order.Order(names, 'for this test')}))

    def test_innermost_is_first_and_other_records_stay(self):
        self._know('guards', 'health')
        before, after = _one('health', 'two'), _one('guards', 'three')
        self.assertEqual(
            [before, self._health, self._guards, after],
            patch_order.arrange([before, self._health, self._guards, after]))

    def test_records_of_one_feature_keep_order(self):
        twice = [self._health, _one('health')]
        self.assertEqual(twice, patch_order.arrange(twice))

    def test_repeated_record_is_kept_once(self):
        self.assertEqual([self._health],
                         patch_order.arrange([self._health, self._health]))


class OrderIndependentTest(testtools.TestCase):
    """Computed values are the same in any order of the features."""

    def test_values_do_not_depend_on_order(self):
        for target in {target for process in PROCESSES for target
                       in patch_order.shared_targets(records(process))}:
            chosen = [record for record in records_of(target).values()
                      if record.kind == monkey_patch.VALUE]
            if chosen:
                self.assertNotIn(target, patch_order.ORDERS)
                self._assert_same(target, chosen)

    def _assert_same(self, target, chosen):
        results = []
        for order in itertools.permutations(chosen):
            value = getattr(chosen[0].owner(), chosen[0].attribute)
            for record in order:
                value = record.replacement(value)
            results.append(value)
        for result in results[1:]:
            self.assertEqual(results[0], result, target)

    def test_cfn_errors_are_mapped_once(self):
        known = set(exception.cfn_errors)
        for name in api_aws_exception._REFUSALS:
            self.assertNotIn(name.removesuffix('_Remote'), known)


class ConvergeStackTest(OwnerTestCase):
    """heat.engine.stack:Stack.converge_stack."""

    target = _STACK + 'converge_stack'

    def setUp(self):
        super().setUp()
        self.own(converge_stack=self._converge_stack, id='1', context=None,
                 _persist_state=lambda stack: None)
        self.put(_STACK + '_persist_state', ['stack_lock'])
        self.mock('lifecycle.pre_post.has_plugins', return_value=True)
        self.plugins = self.mock('lifecycle.convergence.start_operation')
        self.mock('update_policy.update_check.find_reason', return_value='no')
        self.mock('update_policy.update_check.fail_stack',
                  side_effect=lambda stack, *args: stack._persist_state())
        self.mock('stack_lock.request_context.get_operation',
                  return_value='update')
        self.check_again = self.mock('stack_lock.check.check_again')
        self.mock('stack_lock.delete_protection.protection_tag.configured_tag',
                  return_value=None)

    @staticmethod
    def _converge_stack(self, template, action='UPDATE', new_stack=None):
        raise AssertionError('a refused update was begun')

    def converge(self, names):
        self.put(self.target, names)
        self.owner().converge_stack(mock.Mock(id=1), new_stack=mock.Mock())

    def test_plugins_are_not_called_if_policy_rejects_update(self):
        self.converge(patch_order.order_of(self.target))
        self.plugins.assert_not_called()

    def test_plugins_are_called_in_wrong_order(self):
        self.converge(('lifecycle', 'stack_lock', 'update_policy'))
        self.plugins.assert_called_once()

    def test_lock_is_checked_again_if_policy_rejects_update(self):
        self.converge(patch_order.order_of(self.target))
        self.check_again.assert_called_once_with(None, '1', 'update')

    def test_lock_is_not_checked_again_in_wrong_order(self):
        self.converge(('update_policy', 'stack_lock', 'lifecycle'))
        self.check_again.assert_not_called()


class ResourceUpdateTest(OwnerTestCase):
    """heat.engine.resource:Resource.update."""

    target = 'heat.engine.resource:Resource.update'

    def setUp(self):
        super().setUp()
        self.own(update=self._update, name='r', asked=None,
                 _needs_update=lambda resource: False)
        self.mock('health.mark_table.mark_of')
        self.guard = mock.Mock(is_needed=True)
        self.mock('update_policy.resource_check._may_have_policy',
                  return_value=True)
        self.mock('update_policy.resource_check._Guard',
                  side_effect=self._guard)

    def _guard(self, resource, *args):
        def watch():
            decide = resource._needs_update
            resource._needs_update = lambda: self.guard.judge(decide)

        def unwatch():
            del resource._needs_update
        self.guard.watch, self.guard.unwatch = watch, unwatch
        return self.guard

    @staticmethod
    def _update(self, after, before=None, prev_resource=None,
                new_template_id=None, new_requires=None):
        yield self._needs_update()

    def update(self, names):
        self.put(self.target, names)
        self.resource = self.owner()
        self.resource.stack = mock.Mock()
        return list(self.resource.update(mock.Mock()))

    def test_policy_checks_replacement_of_unhealthy_resource(self):
        from heat.engine import resource as heat_resource
        self.update(patch_order.order_of(self.target))
        decide, = self.guard.judge.call_args.args
        self.assertRaises(heat_resource.UpdateReplace, decide)
        self.assertNotIn('_needs_update', vars(self.resource))

    def test_policy_is_not_checked_in_wrong_order(self):
        from heat.engine import resource as heat_resource
        self.assertRaises(heat_resource.UpdateReplace, self.update,
                          ('update_policy', 'health'))
        self.guard.judge.assert_not_called()


class GetStackTest(OwnerTestCase):
    """EngineService._get_stack, for a delete that a policy rejects."""

    target = _SERVICE + '_get_stack'

    def setUp(self):
        super().setUp()
        self.own(_get_stack=lambda self, cnxt, stack_identity,
                 show_deleted=False: None)
        self.mock('stack_lock.request_context.get_operation',
                  return_value=states.DELETE)
        self.mock('stack_lock.check.check_row')
        self.intend = self.mock(
            'stack_lock.delete_protection.delete_check.check_row')
        self.mock('db.stack_columns.get_columns')
        self.mock('stack_lock.deletion.check_deletion')
        self.mock('update_policy.nested_delete.check_nested_delete',
                  side_effect=_Refused)

    def get(self, names):
        self.put(self.target, names)
        self.assertRaises(_Refused, self.owner()._get_stack, None, {})

    def test_delete_intent_is_not_stored_if_policy_rejects_delete(self):
        self.get(patch_order.order_of(self.target))
        self.intend.assert_not_called()

    def test_delete_intent_is_stored_in_wrong_order(self):
        self.get(('update_policy', 'stack_lock'))
        self.intend.assert_called_once()


class _Refused(Exception):
    pass


class MarkUnhealthyTest(OwnerTestCase):
    """EngineService.resource_mark_unhealthy, with a bad reason."""

    target = _SERVICE + 'resource_mark_unhealthy'

    def setUp(self):
        super().setUp()
        self.own(resource_mark_unhealthy=lambda self, cnxt, stack_identity,
                 resource_name, mark_unhealthy,
                 resource_status_reason=None: None)
        self.check_again = self.mock('stack_lock.check.check_again',
                                     side_effect=_Locked)

    def mark(self, names):
        self.put(self.target, names)
        self.owner().resource_mark_unhealthy(
            None, {'stack_id': '1'}, 'r', True, resource_status_reason=5)

    def test_lock_is_checked_before_reason(self):
        error = self.assertRaises(dispatcher.ExpectedException, self.mark,
                                  patch_order.order_of(self.target))
        self.assertIs(_Locked, error.exc_info[0])

    def test_reason_is_checked_before_lock_in_wrong_order(self):
        error = self.assertRaises(dispatcher.ExpectedException, self.mark,
                                  ('health', 'stack_lock'))
        self.assertIsNot(_Locked, error.exc_info[0])


class _Locked(heat_exception.HeatException):
    msg_fmt = 'locked'


class ReportTest(OwnerTestCase):
    """EngineService.service_manage_report, after another engine died."""

    target = _SERVICE + 'service_manage_report'

    def report(self, names):
        done = []
        self.own(service_manage_report=lambda self: done.append('Heat'))
        for name in ('lifecycle.recovery.recover_operations',
                     'heat_internals.heartbeat.record_engine',
                     'stack_lock.dead_engines.fail_interrupted'):
            self.mock(name, side_effect=lambda service, name=name:
                      done.append(name.partition('.')[0]))
        self.put(self.target, names)
        self.owner().service_manage_report()
        return done

    def test_locks_are_failed_before_plugins_are_notified(self):
        self.assertEqual(['heat_internals', 'Heat', 'stack_lock', 'lifecycle'],
                         self.report(patch_order.order_of(self.target)))

    def test_plugins_are_notified_first_in_wrong_order(self):
        self.assertEqual(
            ['heat_internals', 'Heat', 'lifecycle', 'stack_lock'],
            self.report(('stack_lock', 'lifecycle', patch_order.EVERY)))


class ConvergeCreateOrUpdateTest(OwnerTestCase):
    """Stack._converge_create_or_update, of a superseded operation."""

    target = _STACK + '_converge_create_or_update'

    def setUp(self):
        super().setUp()
        self.own(_converge_create_or_update=lambda self, pre_converge=None,
                 abandon=False: None, action='UPDATE')
        self.mock('lifecycle.convergence.set_running', return_value=False)
        self.record = self.mock('update_policy.rollback_check.record_state')

    def converge(self, names):
        self.put(self.target, names)
        stack = self.owner()
        in_process_operations.get_state(stack).allowed = object()
        stack._converge_create_or_update()

    def test_state_is_not_recorded_if_operation_is_superseded(self):
        self.converge(patch_order.order_of(self.target))
        self.record.assert_not_called()

    def test_state_is_recorded_in_wrong_order(self):
        self.converge(('update_policy', 'lifecycle'))
        self.record.assert_called_once()


class OrderCoverageTest(testtools.TestCase):
    def test_each_order_has_test(self):
        tested = {each.target for each in (
            ConvergeCreateOrUpdateTest, ConvergeStackTest, GetStackTest,
            MarkUnhealthyTest, ReportTest, ResourceUpdateTest)}
        self.assertEqual(set(patch_order.ORDERS), tested)
