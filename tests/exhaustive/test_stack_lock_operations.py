# SPDX-License-Identifier: Apache-2.0

"""Every operation in every lock state, as the operation table states."""

import time

from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states
from tests.functional import every_operation
from tests.functional import templates
from tests.functional import test_stack_lock_states

# No request of its own: what causes it is refused or ignored itself, and what
# has loaded the stack before is in test_race_windows and tests/database.
_BY_OTHERS = {operations.NESTED_CREATE, operations.SCALE,
              operations.OTHER,
              operations.MIGRATE}
_REFUSALS = {'StackLocked', 'StackLockConflict'}


class OperationsTest(every_operation.EveryOperation,
                     test_stack_lock_states.StateTestCase):
    template = templates.SCALING
    files = templates.FILES

    def setUp(self):
        super().setUp()
        self.take_snapshot()

    def test_each_operation_has_a_request(self):
        self.assertEqual(set(operations.TABLE),
                         {*self.requests(self.path), *_BY_OTHERS})

    def test_every_operation_in_every_state(self):
        self.assert_status(200, self.lock(level='stacks'))
        for state in operations.STATES[1:]:
            action, _, status = state.partition('_')
            self.write_lock(action=action, status=status)
            before = self.trace()
            for name, request in self.requests(self.path).items():
                verdict = operations.TABLE[name][state]
                if verdict != operations.PASS or not _changes(name):
                    self.assert_verdict(verdict, request(), name, state)
            # Changes made by a thread are visible by then.
            time.sleep(0.5)
            self.assertEqual(before, self.trace(), state)
        self.write_lock(action='LOCK', status='COMPLETE')

    def test_every_operation_while_pass_is_used(self):
        self.assert_status(200, self.lock(level='stacks'))
        # By a user without the pass who may not unlock, and not by a parent.
        self.write(lock_level=None, lock_passing='stacks')
        self.write_lock(action=None, status=None, rank='admin')
        before = self.trace()
        for name, request in self.requests(self.path).items():
            verdict = operations.TABLE[name][operations.PASSING]
            if verdict in operations.FOR_SOME:
                verdict = operations.REFUSE
            # The lock of an administrator is not theirs to change: 403.
            if name not in (states.LOCK, states.UNLOCK,
                            operations.EXTEND_LOCK, operations.LOCK_PASS):
                self.assert_verdict(verdict, request(), name, 'passing')
        time.sleep(0.5)
        self.assertEqual(before, self.trace())

    def assert_verdict(self, verdict, answer, name, state):
        description = f'{name} in {state}: {answer.status_code} {answer.text}'
        if verdict == operations.REFUSE:
            self.assertEqual(409, answer.status_code, description)
            self.assertIn(answer.json()['error']['type'], _REFUSALS,
                          description)
        else:
            self.assertLess(answer.status_code, 300, description)

    def test_every_operation_without_lock(self):
        for name, request in self.requests(self.path).items():
            if name not in (states.DELETE, operations.ABANDON):
                self._assert_not_locked(name, request())
        # Of these two one is enough: the stack is gone then.
        self._assert_not_locked(states.DELETE,
                                self.client.delete(self.path))

    def test_only_deletions_are_rejected_on_protected_stack(self):
        requests = self.requests(self.path)
        lift = requests.pop(operations.UNPROTECT)
        self.assert_status(200, requests[operations.PROTECT]())
        for name, request in requests.items():
            answer = request()
            refused = (answer.status_code == 409 and
                       answer.json()['error']['type'] == 'StackProtected')
            self.assertEqual(operations.is_deletion(name), refused,
                             f'{name}: {answer.text}')
            if name == states.LOCK:
                self.assert_status(200, self.unlock())
            self.client.wait_for_end(self.path)
        self.assert_status(200, lift())

    def _assert_not_locked(self, name, answer):
        refused = (answer.status_code == 409
                   and answer.json()['error']['type'] in _REFUSALS)
        verdict = operations.TABLE[name][operations.NOT_LOCKED]
        self.assertEqual(verdict == operations.REFUSE, refused,
                         f'{name}: {answer.text}')
        if name == states.LOCK:
            self.assert_status(200, self.unlock())
        self.client.wait_for_end(self.path)


class LegacyOperationsTest(OperationsTest):
    settings = OperationsTest.settings + 'convergence_engine = false\n'


def _changes(name):
    """Return whether an operation that passes leaves another lock or stack.

    Those three are in test_stack_lock_states.
    """
    return name in (states.LOCK, states.UNLOCK, states.DELETE,
                    operations.LOCK_PASS)
