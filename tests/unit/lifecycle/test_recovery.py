# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

from unittest import mock

import testtools

from heat_extras.lifecycle import operation as operations
from heat_extras.lifecycle import recovery


class RecoveryTestCase(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.row = mock.Mock(status='IN_PROGRESS', action='UPDATE',
                             current_traversal='new', deleted_at=None)
        self.ledger = self.patch('ledger')
        self.ledger.engines_of_resources.return_value = set()
        self.patch('_row', return_value=self.row)

    def patch(self, name, **attributes):
        patched = mock.patch.object(recovery, name, **attributes)
        self.addCleanup(patched.stop)
        return patched.start()

    def operation(self, **fields):
        return operations.Operation(**{
            'id': '1', 'stack_id': 's', 'action': 'UPDATE',
            'traversal': 'new', 'engine_id': 'here',
            'phase': operations.RUNNING, **fields})


class SuspectTest(RecoveryTestCase):

    def is_suspect(self, at_work=(), **fields):
        self.ledger.engines_of_resources.return_value = set(at_work)
        return recovery._is_suspect(None, self.operation(**fields),
                                    {'here': True, 'dead': False}.get)

    def test_what_goes_on(self):
        self.assertFalse(self.is_suspect())
        self.assertFalse(self.is_suspect(['here']))
        # Begun by an engine that died since, and still worked on.
        self.assertFalse(self.is_suspect(['here'], engine_id='dead'))
        for phase in (operations.PRE, operations.POST):
            self.assertFalse(self.is_suspect(phase=phase))

    def test_what_an_engine_left_behind(self):
        self.assertTrue(self.is_suspect(['here', 'dead']))
        self.assertTrue(self.is_suspect(engine_id='dead'))
        self.assertTrue(self.is_suspect(engine_id='dead', traversal=None))
        for phase in (operations.PRE, operations.POST):
            self.assertTrue(self.is_suspect(phase=phase, engine_id='dead'))

    def test_what_nobody_told_the_end_of(self):
        self.assertTrue(self.is_suspect(traversal='old'))
        self.row.status = 'FAILED'
        self.assertTrue(self.is_suspect())


class FailTest(RecoveryTestCase):

    def fail_stack(self, **fields):
        stack = mock.Mock(IN_PROGRESS='IN_PROGRESS', convergence=True)
        recovery._fail(mock.Mock(), stack, self.operation(**fields),
                       self.row)
        return stack.mark_failed.called

    def test_no_rollback_of_what_has_not_begun(self):
        give_up = self.patch('traversal').give_up
        self.assertFalse(self.fail_stack(phase=operations.PRE))
        self.assertEqual('UPDATE', give_up.call_args.args[1])

    def test_the_stack_fails_with_its_operation(self):
        self.assertTrue(self.fail_stack())
        self.assertTrue(self.fail_stack(traversal=None))

    def test_not_with_one_that_a_newer_took_over(self):
        self.assertFalse(self.fail_stack(traversal='old'))
        self.assertFalse(self.fail_stack(action='CHECK'))

    def test_not_when_it_is_over(self):
        self.row.status = 'COMPLETE'
        self.assertFalse(self.fail_stack())

    def test_what_was_complete_is_no_failure(self):
        self.assertTrue(recovery._is_failure(self.operation(), self.row))
        self.row.status = 'COMPLETE'
        self.assertFalse(recovery._is_failure(self.operation(), self.row))
        self.assertTrue(recovery._is_failure(
            self.operation(traversal='old'), self.row))
