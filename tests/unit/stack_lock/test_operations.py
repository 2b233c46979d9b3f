# SPDX-License-Identifier: Apache-2.0

"""The verdict on each operation in each state of a lock."""

import testtools

from heat_extras import guard
from heat_extras import rpc_request
from heat_extras.stack_lock import lock_guards
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

# Operations other than reads that a locked stack allows, for each state.
_ALLOWED = {
    operations.LOCKING: (operations.EXTEND_LOCK,),
    operations.UNLOCKING: (),
    operations.LOCKED: (states.LOCK, states.UNLOCK,
                        operations.EXTEND_LOCK,
                        operations.LOCK_PASS),
    operations.LOCK_FAILED: (states.LOCK, states.UNLOCK, states.DELETE,
                             operations.EXTEND_LOCK),
    operations.UNLOCK_FAILED: (states.UNLOCK, states.DELETE),
    operations.PASSING: (states.UNLOCK, operations.EXTEND_LOCK,
                         operations.OTHER),
}
_PASSING = (operations.PROTECT, operations.UNPROTECT,
            operations.AGENT_SIGNAL, operations.EXPORT, operations.PREVIEW,
            operations.READ)


def lock_in(state):
    """Make a lock that is shown in a state."""
    if state == operations.NOT_LOCKED:
        return lock_record.UNLOCKED
    if state == operations.PASSING:
        return lock_record.Lock(level='stacks', is_passing=True)
    action, _, status = state.partition('_')
    return lock_record.Lock(level='all', action=action, status=status)


class OperationTableTest(testtools.TestCase):

    def test_each_operation_has_a_verdict_in_each_state(self):
        for name, verdicts in operations.TABLE.items():
            self.assertEqual(set(operations.COLUMNS), set(verdicts),
                             name)
            self.assertLessEqual(set(verdicts.values()), {
                operations.PASS, operations.REFUSE, operations.IGNORE,
                *operations.FOR_SOME}, name)

    def test_allowed_and_ignored_operations_in_each_lock_state(self):
        for state, allowed in _ALLOWED.items():
            lock = lock_in(state)
            self.assertEqual(
                {*allowed, *_PASSING},
                {name for name in operations.TABLE
                 if lock.verdict(name) == operations.PASS}, state)
            self.assertEqual(
                {operations.SIGNAL},
                {name for name in operations.TABLE if lock.ignores(name)})

    def test_only_lock_operations_are_rejected_without_lock(self):
        self.assertEqual(
            [states.UNLOCK, operations.EXTEND_LOCK,
             operations.LOCK_PASS],
            [name for name in operations.TABLE
             if lock_record.UNLOCKED.refuses(name)])

    def test_shown_unlock_rejects_no_update(self):
        lock = lock_record.Lock(action='UNLOCK', status='COMPLETE')
        self.assertFalse(lock.refuses(operations.UPDATE))
        self.assertTrue(lock.refuses(states.UNLOCK))

    def test_level_with_unknown_state_is_locked(self):
        for state in ((None, None), ('LOCK', None), ('odd', 'odd'),
                      ('UNLOCK', 'COMPLETE')):
            for name, verdicts in operations.TABLE.items():
                self.assertEqual(
                    verdicts[operations.LOCKED],
                    operations.verdict(name, state, True), name)

    def test_unknown_operation_is_handled_as_change(self):
        for state in operations.STATES:
            self.assertEqual(
                operations.TABLE[operations.MIGRATE][state],
                lock_in(state).verdict('of a Heat to come'))

    def test_delete_and_abandon_are_deletions(self):
        self.assertEqual(
            {states.DELETE, operations.ABANDON},
            {name for name in operations.TABLE
             if operations.is_deletion(name)})
        self.assertFalse(operations.is_deletion(None))

    def test_never_rejected_operations_are_not_checked(self):
        self.assertEqual(
            {operations.SIGNAL, *_PASSING},
            {name for name in operations.TABLE
             if not operations.is_ever_refused(name)})


class OperationUseTest(testtools.TestCase):

    def test_every_operation_of_requests_is_in_table_and_counted(self):
        # A lock of an existing stack does not concern a create.
        started = set(rpc_request.OPERATIONS.values()) - {
            rpc_request.CREATE, rpc_request.PREVIEW_CREATE}
        self.assertLessEqual(started, set(operations.TABLE))
        # Each of them that a lock can reject has a counter.
        self.assertEqual(
            {name for name in started if operations.is_ever_refused(name)
             or operations.IGNORE in operations.TABLE[name].values()},
            set(operations.COUNTED))

    def test_guards_list_rejected_and_ignored_operations(self):
        for state in (*operations.STATES[1:], operations.PASSING):
            lock = lock_in(state)
            stops = lock_guards._stopped_actions(lock)
            for action in guard.ACTIONS:
                name = {'replace': 'update', 'lock': states.LOCK,
                        'unlock': states.UNLOCK,
                        'mark_unhealthy': 'mark unhealthy'}.get(action,
                                                                action)
                self.assertEqual(
                    operations.TABLE[name][state] != operations.PASS,
                    action in stops, f'{action} in {state}')
