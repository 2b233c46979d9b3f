# SPDX-License-Identifier: Apache-2.0

"""The checks detect a missing fence of locks, and wrong rows."""

import datetime
import os
from unittest import mock

import fixtures
from oslo_serialization import jsonutils
import sqlalchemy
import testtools
from testtools import content

from heat_extras.sandbox import state_directory
from tests.fault_injection import hold_period
from tests.fault_injection import lock_cycle
from tests.fault_injection import lock_expiry_cycle
from tests.fault_injection import lock_pass_cycle
from tests.fault_injection import plugin_calls
from tests.fault_injection import protection_cycle
from tests.fault_injection import servers
from tests.fault_injection import stuck_stacks
from tests.fault_injection import test_faults
from tests.fault_injection import user
from tests.functional import base as functional
from tests.harness import environment
from tests.harness import request_times
from tests.harness import waiting
from tests.stress import database_state

# Seconds of one run, and until the test fails.
_SECONDS = 40
_MOST_SECONDS = 300
# No engine works on the changed rows.
_SHORT = 1


class FailsWhenUnprotectedTest(test_faults.SlowFaultInjection):
    """Locks without a fence."""

    kind = test_faults.FaultInjectionTest.kind

    @classmethod
    def setUpClass(cls):
        cls.use_in_class(environment.Environment(HEAT_EXTRAS_WITHOUT_FENCE=1))
        super().setUpClass()

    def test_missing_fence_is_detected(self):
        # Run only the cycle that needs the fence.
        self.useFixture(fixtures.MockPatchObject(
            user.User, 'ACTS', (lock_cycle.run_cycle,) * 3))
        self._seed = test_faults.SEED
        changes = waiting.last(self._changes, bool, _MOST_SECONDS)
        self.addDetail('found', content.text_content('\n'.join(changes)))
        self.assertNotEqual([], changes, 'the checks see no defect')

    def _changes(self):
        self._seed += 100
        self.burn(_SECONDS, self._seed)
        return [text for text in self.lost() if ' became ' in text]


class _SandboxTestCase(functional.TestCase):
    """A user on a sandbox, where tests change the rows that are checked."""

    is_shared = False

    def setUp(self):
        super().setUp()
        self.database = database_state.Database('sqlite:///' + os.path.join(
            self.sandbox.state_dir, state_directory.DATABASE_FILE))
        self.addCleanup(self.database.close)
        self.user = user.User(self.client, self.database, self.id(),
                              self.sandbox.client('bob'))
        self.assertTrue(self.user.create())
        self.path, = self.user.paths
        self.stack_id = self.path.rpartition('/')[2]

    def change(self, statement):
        """Change rows of the stack."""
        engine = sqlalchemy.create_engine(
            'sqlite:///' + os.path.join(self.sandbox.state_dir,
                                        state_directory.DATABASE_FILE))
        self.addCleanup(engine.dispose)
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text(statement),
                               {'id': self.stack_id})

    def lock(self):
        answer = self.client.post(self.path + '/actions',
                                  {'lock': {'level': 'stacks'}})
        return answer.json()['lock']['id']


class HoldPeriodTest(_SandboxTestCase):
    def setUp(self):
        super().setUp()
        self.lock_id = self.lock()
        self.calm = hold_period.HoldPeriod(self.database, self.path,
                                           self.lock_id)

    def assert_seen(self, *parts):
        self.calm.look()
        text = '\n'.join(self.calm.violations)
        for part in parts:
            self.assertIn(part, text)

    def test_lock_in_effect_has_no_violations(self):
        for name in 'update', 'check', 'suspend', 'delete':
            answer = self.user.send(name)
            self.calm.judge(name, *answer)
        self.calm.look()
        self.assertEqual([], self.calm.violations)
        self.assertIsNotNone(self.calm.span)

    def test_missing_lock_is_violation(self):
        self.change('UPDATE stack SET lock_level = NULL, lock_id = NULL '
                    'WHERE id = :id')
        self.assert_seen('became None', 'the levels')

    def test_other_lock_id_is_violation(self):
        self.change("UPDATE stack SET lock_id = 'x' WHERE id = :id")
        self.assert_seen('became x')

    def test_unlocked_nested_stack_is_violation(self):
        self.change('UPDATE stack SET lock_level = NULL WHERE '
                    'owner_id = :id')
        self.assert_seen('the levels')

    def test_changed_row_is_violation(self):
        self.change("UPDATE resource SET status = 'FAILED' WHERE "
                    'stack_id = :id')
        self.assert_seen("'COMPLETE' became 'FAILED'")

    def test_resource_held_by_engine_is_violation(self):
        self.change("UPDATE resource SET engine_id = 'x' WHERE stack_id = :id")
        self.assert_seen('is held by engine x')

    def test_event_of_operation_is_violation(self):
        self.change('INSERT INTO event (uuid, stack_id, '
                    'physical_resource_id, resource_action, resource_status) '
                    "VALUES ('x', :id, :id, 'CHECK', 'IN_PROGRESS')")
        self.assert_seen('CHECK_IN_PROGRESS')

    def test_lock_remaining_after_unlock_is_violation(self):
        def left():
            return '\n'.join(hold_period.lifted(self.database, self.path,
                                                self.lock_id))
        self.assertIn('the register has it', left())
        self.user.unlock(self.lock_id)
        self.assertEqual(([], ''), (self.user.violations, left()))
        self.change("UPDATE stack SET lock_level = 'stacks', "
                    f"lock_id = '{self.lock_id}' WHERE owner_id = :id")
        self.assertIn('has it, stacks', left())

    def test_accepted_operation_is_violation(self):
        self.calm.judge('update', 202, '')
        self.assert_seen('update was answered 202')

    def test_action_in_progress_error_is_violation(self):
        self.calm.judge('update', 409, 'ActionInProgress')
        self.assert_seen('ActionInProgress')

    def test_timeout_or_server_error_is_no_violation(self):
        self.calm.judge('update', 0, 'timed out')
        self.calm.judge('update', 503, '')
        self.calm.look()
        self.assertEqual([], self.calm.violations)


class ProtectionCycleTest(_SandboxTestCase):
    """Checks of a stack that is protected from deletion."""

    def setUp(self):
        super().setUp()
        self.user.insist('protect')
        self.kept = protection_cycle.ProtectionCycle(self.database, self.path)

    def seen(self):
        self.kept.look()
        return '\n'.join(self.kept.violations)

    def test_protection_in_effect_has_no_violations(self):
        for name in 'delete', 'delete nested', 'abandon':
            self.kept.judge(name, self.user.send(name)[0])
        self.assertEqual(202, self.user.send('update')[0])
        self.user.rest()
        self.assertEqual('', self.seen())

    def test_protection_that_was_not_set_is_violation(self):
        self.user.insist('unprotect')
        kept = protection_cycle.ProtectionCycle(self.database, self.path)
        self.assertIn('it is not', '\n'.join(kept.violations))

    def test_removed_protection_is_violation(self):
        self.change('UPDATE stack SET delete_protection_id = NULL '
                    'WHERE id = :id')
        self.assertIn('became (None', self.seen())

    def test_deleted_stack_is_violation(self):
        self.change("UPDATE stack SET deleted_at = '2026-11-20' "
                    'WHERE id = :id')
        self.assertIn('became', self.seen())

    def test_started_deletion_is_violation(self):
        self.change("UPDATE stack SET action = 'DELETE' WHERE id = :id")
        self.assertIn('True', self.seen())

    def test_accepted_operation_is_violation(self):
        self.kept.judge('delete', 204)
        self.assertIn('delete was answered 204', self.seen())

    def test_timeout_or_server_error_is_no_violation(self):
        self.kept.judge('delete', 0)
        self.kept.judge('delete', 500)
        self.assertEqual('', self.seen())


class LockPassCycleTest(_SandboxTestCase):
    """Checks of a lock pass."""

    def setUp(self):
        super().setUp()
        self.lock_id = self.lock()
        self.passed = lock_pass_cycle.LockPassCycle(self.database, self.path,
                                                    self.lock_id)
        self.user.insist('lock_pass', {
            'user': {'id': 'bob'},
            'expires_at': request_times.from_now(hours=1)})

    def seen(self):
        self.passed.look()
        return '\n'.join(self.passed.violations)

    def use(self):
        answers = [self.user.send('update', self.user.holder)[0]
                   for _ in range(2)]
        self.assertTrue(self.passed.is_closed())
        return answers

    def test_lock_pass_used_once_has_no_violations(self):
        self.assertFalse(self.passed.is_used())
        self.passed.judge_other('update', *self.user.send('update'))
        self.passed.judge(self.use())
        self.assertTrue(self.passed.is_used())
        self.assertEqual('', self.seen())

    def test_second_update_with_lock_pass_is_violation(self):
        self.use()
        self.user.insist('unlock')
        self.user.send('update', self.user.holder)
        self.user.rest()
        self.assertIn('2 updates have begun', self.seen())

    def test_two_accepted_updates_are_violation(self):
        self.passed.judge([202, 202])
        self.assertIn('two updates', self.seen())

    def test_accepted_operation_of_other_user_is_violation(self):
        self.passed.judge_other('check', 200, '')
        self.assertIn('check of another user', self.seen())

    def test_lock_pass_is_open_until_stack_is_locked_again(self):
        self.change("UPDATE stack SET lock_passing = 'stacks', "
                    'lock_level = NULL WHERE id = :id')
        self.assertFalse(self.passed.is_closed(_SHORT))


class ExpiryCycleTest(_SandboxTestCase):
    """Checks of a lock with an expiration time."""

    def setUp(self):
        super().setUp()
        self.lock_id = self.lock()

    def ended(self, **time):
        return lock_expiry_cycle.ExpiryCycle(
            self.database, self.path, self.lock_id,
            lock_expiry_cycle.now() + datetime.timedelta(**time))

    def test_unlock_after_expiration_has_no_violations(self):
        seen = self.ended(seconds=-1)
        self.assertFalse(seen.is_lifted())
        self.user.unlock(self.lock_id)
        seen.judge('update', 202)
        self.assertTrue(seen.is_lifted())
        self.assertEqual([], seen.violations)

    def test_unlock_before_expiration_is_violation(self):
        seen = self.ended(hours=1)
        seen.judge('update', 409)
        self.assertEqual([], seen.violations)
        self.user.unlock(self.lock_id)
        self.assertTrue(seen.is_lifted())
        self.assertIn('became None', seen.violations[0])

    def test_accepted_update_before_expiration_is_violation(self):
        seen = self.ended(hours=1)
        seen.judge('update', 202)
        self.assertIn('update was answered 202', seen.violations[0])


class StuckStacksTest(_SandboxTestCase):
    def inspect(self):
        """Return stacks stuck because of Heat, and because of heat-extras."""
        after = stuck_stacks.StuckStacks(
            self.user, self.database, seconds=_SHORT,
            end_seconds=_SHORT).inspect()
        return '\n'.join(after.of_heat), '\n'.join(after.of_ours)

    def test_idle_stack_is_not_stuck(self):
        self.assertEqual(('', ''), self.inspect())

    def test_lock_without_response_is_removed(self):
        self.lock()
        self.assertEqual(('', ''), self.inspect())

    def test_update_in_progress_is_defect_of_heat(self):
        self._leave_in_progress()
        of_heat, of_ours = self.inspect()
        self.assertIn('UPDATE_IN_PROGRESS', of_heat)
        self.assertEqual('', of_ours)

    def test_operation_of_locked_stack_is_defect_of_heat_extras(self):
        self._leave_in_progress()
        self.user.at_rest.add(self.path)
        self.assertIn('was at rest', self.inspect()[1])

    def test_lock_in_progress_is_defect_of_heat_extras(self):
        self.change('INSERT INTO heat_extras_guard (id, kind, stack_id, '
                    "action, status) VALUES ('x', 'lock', :id, 'LOCK', "
                    "'IN_PROGRESS')")
        of_heat, of_ours = self.inspect()
        self.assertEqual('', of_heat)
        self.assertIn('LOCK_IN_PROGRESS', of_ours)

    def test_different_lock_table_is_defect_of_heat_extras(self):
        self.change('INSERT INTO heat_extras_guard (id, kind, stack_id) '
                    "VALUES ('x', 'lock', :id)")
        self.assertIn('the register has', self.inspect()[1])

    def test_expired_lock_is_defect_of_heat_extras(self):
        self.lock()
        self.user.ending.add(self.path)
        self.assertIn('its lock has come', self.inspect()[1])

    def test_open_lock_pass_is_defect_of_heat_extras(self):
        self.lock()
        self.change("UPDATE stack SET lock_passing = 'stacks', "
                    'lock_level = NULL WHERE id = :id OR owner_id = :id')
        self.assertIn('an update through that is over', self.inspect()[1])

    def test_protection_without_response_is_removed(self):
        self.user.insist('protect')
        self.assertEqual(('', ''), self.inspect())

    def test_missing_stack_is_defect_of_heat_extras(self):
        self.change("UPDATE stack SET deleted_at = '2026-11-20' "
                    'WHERE id = :id')
        self.assertIn('nobody has deleted', self.inspect()[1])

    def test_stack_deleted_by_user_is_not_stuck(self):
        self.assertEqual(204, self.user.send('delete')[0])
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])
        self.assertEqual(('', ''), self.inspect())

    def test_operation_row_of_idle_stack_is_reported(self):
        self.assertEqual([], self.database.untold())
        self.change('INSERT INTO heat_extras_operation (id, stack_id, '
                    "action, engine_id, phase) VALUES ('x', :id, 'UPDATE', "
                    "'y', 'running')")
        self.assertIn('UPDATE x', self.database.untold()[0])
        self._leave_in_progress()
        self.assertEqual([], self.database.untold())

    def test_rejected_lock_is_defect_of_heat_extras(self):
        self._answer('lock', 409)
        self.assertIn('lock of', self.inspect()[1])

    def test_rejected_update_is_defect_of_heat_extras(self):
        self._answer('parameters', 409)
        self.assertIn('update of', self.inspect()[1])

    def test_unlock_without_effect_is_defect_of_heat_extras(self):
        self._answer('unlock', 200)
        self.assertIn('was unlocked, and', self.inspect()[1])

    def _answer(self, part, status):
        """Return a status for requests with a part in their body."""
        ask = self.user.ask
        self.user.ask = lambda method, path, body=None: (
            (status, 'no') if part in (body or ()) else ask(
                method, path, body))

    def _leave_in_progress(self):
        self.change("UPDATE stack SET action = 'UPDATE', "
                    "status = 'IN_PROGRESS' WHERE id = :id")


class InsistTest(testtools.TestCase):
    """When an action is retried."""

    def test_error_of_plugin_is_retried(self):
        # A plugin that cannot read its stack rejects the unlock.
        answers = [(0, ''), (500, 'no database'),
                   (409, 'Lifecycle plugin test failed before UNLOCK: no'),
                   (409, 'Lock 1 is not in effect on stack 2')]
        asked = user.User(None, None, 'insist')
        asked.paths.append('/stacks/2')
        asked.ask = lambda *args: answers.pop(0)
        self.assertEqual(409, asked.insist('unlock'))
        self.assertEqual([], answers)


class PluginCallsTest(testtools.TestCase):
    """Checks of the calls of plugins."""

    def wrong(self, *calls, struck=()):
        """Check calls of the form (call, plugin, session), optionally more."""
        return '\n'.join(plugin_calls.find_wrong_calls([
            {'operation': 'x', 'stack': 'web', 'action': 'UPDATE',
             'call': call, 'plugin': plugin, 'session': session,
             **dict.fromkeys(more, 'OperationalError')}
            for call, plugin, session, *more in calls], struck))

    def test_post_call_for_each_pre_call_is_right(self):
        self.assertEqual('', self.wrong(
            ('pre', 'a', 1), ('pre', 'b', 1), ('post', 'a', 2),
            ('post', 'b', 2), ('post', 'test_post', 2)))

    def test_missing_post_call_is_wrong(self):
        self.assertIn("['b'] were asked", self.wrong(
            ('pre', 'a', 1), ('pre', 'b', 1), ('post', 'a', 1)))

    def test_pre_call_with_read_error_may_have_no_post_call(self):
        calls = ('pre', 'a', 1), ('pre', 'b', 1, 'error'), ('post', 'a', 1)
        self.assertEqual('', self.wrong(*calls))
        self.assertEqual('', self.wrong(*calls, ('post', 'b', 1, 'error')))

    def test_post_calls_may_be_missing_after_error_and_lost_engine(self):
        unread = ('pre', 'b', 1, 'error')
        self.assertEqual('', self.wrong(unread, struck={1}))
        self.assertIn("['a'] were", self.wrong(
            ('pre', 'a', 1), unread, struck={1}))

    def test_last_pre_call_of_lost_engine_may_have_no_post_call(self):
        calls = ('pre', 'a', 1), ('pre', 'b', 1), ('post', 'a', 2)
        self.assertEqual('', self.wrong(*calls, struck={1}))
        self.assertIn("['b'] were", self.wrong(*calls, struck={2}))

    def test_only_last_pre_call_of_lost_engine_may_lack_post_call(self):
        self.assertIn("['a'] were", self.wrong(
            ('pre', 'a', 1), ('pre', 'b', 1), struck={1}))

    def test_post_call_without_pre_call_is_wrong(self):
        self.assertIn('never asked', self.wrong(
            ('pre', 'a', 1), ('post', 'a', 1), ('post', 'b', 1)))

    def test_second_post_call_is_wrong_unless_engine_was_lost(self):
        calls = ('pre', 'a', 1), ('post', 'a', 1), ('post', 'a', 2)
        self.assertIn('so often', self.wrong(*calls))
        self.assertEqual('', self.wrong(*calls, struck={1}))

    def test_second_pre_call_is_wrong_unless_engine_was_lost(self):
        calls = ('pre', 'a', 1), ('pre', 'a', 1), ('post', 'a', 1)
        self.assertIn('asked so often', self.wrong(*calls))
        self.assertEqual('', self.wrong(*calls, struck={1}))

    def test_accepted_lock_without_pre_call_is_reported(self):
        journal = [{'call': call, 'action': 'LOCK', 'id': '1',
                    'operation': operation}
                   for call, operation in (
                       ('pre', 'x'), ('pre', 'x'), ('post', 'y'))]
        self.assertEqual([],
                         plugin_calls.find_missing_calls(
                             journal, {('LOCK', '1'): 1}))
        for accepted in ({('LOCK', '1'): 2}, {('LOCK', '2'): 1},
                         {('UNLOCK', '1'): 1}):
            self.assertEqual(
                1, len(plugin_calls.find_missing_calls(journal, accepted)))


class _Answers:
    """A fake Heat with one server in one stack."""

    def __init__(self, status, state, protection):
        self._status, self._state = status, state
        self._protection = protection

    def get(self, path):
        return mock.Mock(json=lambda: {'resources': [{
            'resource_type': 'OS::Nova::Server', 'physical_resource_id': '1',
            'lock_protection': self._protection}]})

    def request(self, method, path, json=None):
        body = {'stack': {'lock_status': self._state}}
        return mock.Mock(status_code=self._status if json else 200,
                         text=jsonutils.dumps(body))


class ServersTest(testtools.TestCase):
    """Checks of locks of level ``all``."""

    def user(self, state, locked, status=200, protection=None):
        return servers.User(_Answers(status, state, protection), '/stacks/s',
                            lambda ids: set(locked))

    def seen(self, name, state, locked, **more):
        user = self.user(state, locked, **more)
        getattr(user, name)()
        return '\n'.join(user.violations)

    def test_complete_lock_and_unlock_have_no_violations(self):
        self.assertEqual('', self.seen('lock', 'LOCK_COMPLETE', '1'))
        self.assertEqual('', self.seen('unlock', 'UNLOCK_COMPLETE', ''))

    def test_failed_lock_is_no_violation(self):
        self.assertEqual('', self.seen('lock', 'LOCK_FAILED', ''))
        self.assertEqual('', self.seen('lock', 'LOCK_COMPLETE', '',
                                       status=500))

    def test_unlocked_server_after_lock_is_violation(self):
        self.assertIn('were to be', self.seen('lock', 'LOCK_COMPLETE', ''))

    def test_locked_server_after_unlock_is_violation(self):
        self.assertIn('were to be', self.seen('unlock', 'UNLOCK_COMPLETE',
                                              '1'))

    def test_difference_of_table_and_nova_is_found(self):
        for protection, nova_lock, differing in (
                ('protected', '1', ''), ('protected', '', '1'),
                (None, '1', '1'), ('failed', '1', ''), ('failed', '', '')):
            self.assertEqual(set(differing), self.user(
                'LOCK_FAILED', nova_lock, protection=protection).differing())
