# SPDX-License-Identifier: Apache-2.0

"""The order of guards: what it ensures, and which error another causes."""

from unittest import mock

import fixtures
from heat.common import exception as heat_exception
from heat.engine import resource as heat_resource
import testtools

from heat_extras import features
from heat_extras import gate
from heat_extras import guard
from heat_extras.health import service
from heat_extras import left_operations
from heat_extras.patches import engine_stack
from heat_extras import rpc_request
from heat_extras.stack_lock import operation_start
from heat_extras.stack_lock import states


class OrderTestCase(testtools.TestCase):
    """Ask the guards of some features in the order of the features."""

    features: tuple[str, ...] = ()

    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MockPatchObject(gate, '_guards'))
        self.addCleanup(gate.asked_at.cache_clear)
        self.open(*(name for name in features.FEATURES
                    if name in self.features))

    def open(self, *names):
        gate.open_for(features.FEATURES[name].make_guard() for name in names)

    def mock(self, name, **options):
        return self.useFixture(fixtures.MockPatch(f'heat_extras.{name}',
                                                  **options)).mock


class ConvergeStackTest(OrderTestCase):
    """An update that a policy rejects, with the convergence engine."""

    features = ('stack_lock', 'update_policy', 'lifecycle')

    def setUp(self):
        super().setUp()
        self.mock('lifecycle.pre_post.has_plugins', return_value=True)
        self.plugins = self.mock('lifecycle.convergence.start_operation')
        self.mock('update_policy.update_check.find_reason', return_value='no')
        self.mock('update_policy.update_check.fail_stack',
                  side_effect=lambda stack, *args: (
                      operation_start.persist_state(stack, lambda: None)))
        self.mock('update_policy.update_check.counter_writes.count_event')
        self.mock('stack_lock.operations.current', return_value='update')
        self.check_again = self.mock('stack_lock.check.check_again')
        self.mock('stack_lock.delete_protection.protection_tag.'
                  'configured_tags', return_value={})

    def converge(self):
        stack = mock.Mock(id='1', context=None)
        start = guard.Start(mock.Mock(side_effect=AssertionError(
            'a rejected update was started')), mock.Mock(id=1), 'UPDATE',
            mock.Mock(), {})
        gate.ask('start_convergence', start.converge, stack, start)

    def test_plugins_are_not_called_if_policy_rejects_update(self):
        self.converge()
        self.plugins.assert_not_called()

    def test_lock_is_checked_again_if_policy_rejects_update(self):
        self.converge()
        self.check_again.assert_called_once_with(None, '1', 'update')


class UpdateResourceTest(OrderTestCase):
    """The update of an unhealthy resource."""

    features = ('health', 'update_policy')

    def setUp(self):
        super().setUp()
        self.mock('health.service.mark_of')
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

    def update(self):
        class Resource:
            name, stack = 'r', mock.Mock()

            def _needs_update(self):
                return False

        self.resource = Resource()

        def run():
            yield self.resource._needs_update()

        return list(gate.ask('update_resource', run, self.resource,
                             mock.Mock()))

    def test_policy_checks_replacement_of_unhealthy_resource(self):
        self.update()
        decide, = self.guard.judge.call_args.args
        self.assertRaises(heat_resource.UpdateReplace, decide)
        self.assertNotIn('_needs_update', vars(self.resource))


class _Refused(Exception):
    pass


class CheckRowTest(OrderTestCase):
    """A delete of a nested stack that a policy rejects."""

    features = ('stack_lock', 'update_policy')

    def test_delete_intent_is_not_stored_if_policy_rejects_delete(self):
        self.mock('stack_lock.check.check_lock')
        self.mock('stack_lock.check._check_protection')
        intend = self.mock('stack_lock.check.store_needed_intent')
        self.mock('stack_lock.check.stack_columns.get_columns')
        self.mock('stack_lock.check._check_deletion')
        reject = self.mock(
            'update_policy.inherited_policy.check_nested_delete',
            side_effect=_Refused)
        with rpc_request.processing(rpc_request.Request(states.DELETE, None)):
            self.assertRaises(_Refused, gate.check_row, 'row')
            intend.assert_not_called()
            reject.side_effect = None
            gate.check_row('row')
        intend.assert_called_once()


class MarkTest(OrderTestCase):
    """A mark with an invalid reason, on a stack that is locked meanwhile."""

    features = ('stack_lock', 'health')

    def setUp(self):
        super().setUp()
        self.mock('stack_lock.check.check_again', side_effect=_Locked)
        self.request = rpc_request.Request(
            'mark unhealthy', None, arguments={
                'stack_identity': {'stack_id': '1'}, 'resource_name': 'r',
                'mark_unhealthy': True, 'resource_status_reason': 5})

    def process(self):
        with rpc_request.processing(self.request):
            gate.ask('process', lambda: service.find_resource(
                None, None, 'r', None), self.request)

    def test_lock_is_reported_before_reason(self):
        self.assertRaises(_Locked, self.process)


class _Locked(heat_exception.HeatException):
    msg_fmt = 'locked'


class SweepTest(OrderTestCase):
    """The sweep of an engine, after another engine died."""

    features = ('stack_lock', 'lifecycle')

    def setUp(self):
        super().setUp()
        self.done = []
        for name in ('lifecycle.recovery.recover_operations',
                     'stack_lock.lock_thread.fail_interrupted'):
            self.mock(name, side_effect=lambda sweep, name=name:
                      self.done.append(name.partition('.')[0]))
        for name in ('pass_use.relock_due',
                     'lock_pass.expire_unused',
                     'auto_unlock.unlock_due'):
            self.mock(f'stack_lock.{name}')

    def test_locks_are_failed_before_plugins_are_notified(self):
        left_operations.run(mock.Mock())
        self.assertEqual(['stack_lock', 'lifecycle'], self.done)


class BeginTraversalTest(OrderTestCase):
    """An operation that another one has superseded during its pre calls."""

    features = ('update_policy',)

    def test_state_is_recorded_only_if_operation_begins(self):
        record = self.mock('update_policy.rollback_check.record_traversal')
        may_begin = self.mock('lifecycle.convergence.may_begin',
                              return_value=False)
        original, stack = mock.Mock(), mock.Mock()
        begin = vars(engine_stack.StackMixin)['_converge_create_or_update']
        begin(stack, original)
        for each in record, original:
            each.assert_not_called()
        may_begin.return_value = True
        begin(stack, original)
        for each in record, original:
            each.assert_called_once()


class PrepareUpdateTest(OrderTestCase):
    """An update with a reviewed plan."""

    features = ('plan', 'parameters')

    def test_parameters_are_checked_with_values_of_plan(self):
        asked = []
        self.mock('plan.required_plan.keep_tag')
        for name in ('plan.reviewed_plan.prepare',
                     'parameters.guard.check_prepared_update'):
            self.mock(name, side_effect=lambda *arguments, name=name: (
                asked.append(name.partition('.')[0]),
                next(each for each in arguments if callable(each))())[1])
        gate.prepare_update(guard.Update(None, {}, {'plan': {}}, False),
                            lambda: ('template', 'now', 'then'))
        self.assertEqual(['plan', 'parameters'], asked)
