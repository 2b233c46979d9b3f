# SPDX-License-Identifier: Apache-2.0

"""Tests of the check of an update between preparation and response."""

import fixtures
from heat.common import exception
from oslo_messaging.rpc import dispatcher
import testtools

from heat_extras.parameters import guard
from heat_extras.parameters import rules
from heat_extras import rpc_request

REFUSED, LIFT_FIRST = rules.Decision.REFUSED, rules.Decision.LIFT_FIRST
HEATS = 'The following parameters are immutable and may not be updated: '


class PrepareTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.own = self.useFixture(fixtures.MockPatchObject(
            guard.values, 'find_violations', return_value={})).mock
        self.nested = self.useFixture(fixtures.MockPatchObject(
            guard, 'find_violations',
            return_value=[])).mock
        self.useFixture(fixtures.MockPatchObject(
            guard.values, 'keep_spelling', return_value=False))
        requested = rpc_request.processing(rpc_request.Request('update', None))
        requested.__enter__()
        self.addCleanup(requested.__exit__, None, None, None)

    def test_prepared_update_is_checked_and_returned(self):
        made = ('template', 'environment', 'updated')

        def prepare():
            guard.postpone_check('old', 'new', 'given')
            return made

        self.assertIs(made, guard.check_prepared_update(
            prepare, 'current', False))
        self.own.assert_called_once_with('old', 'new', 'given',
                                         operation=rules.Operation.UPDATE)
        self.nested.assert_called_once_with('current', 'updated')

    def test_parameter_check_of_heat_is_postponed(self):
        made = []
        guard.check_prepared_update(
            lambda: made.append(guard.postpone_check('old', 'new'))
            or made, 'current', False)
        self.assertEqual([True], made)
        self.assertFalse(guard.postpone_check('old', 'new'))

    def test_rejection_hides_error_of_prepare(self):
        def prepare():
            guard.postpone_check('old', 'new')
            raise ValueError('secret')

        self.own.return_value = {'p': REFUSED}
        error = self.assertRaises(
            exception.ImmutableParameterModified,
            guard.check_prepared_update, prepare, 'current', False)
        self.assertIsNone(error.__context__)


class ErrorMessageTest(testtools.TestCase):
    def test_error_has_class_and_text_of_heat(self):
        error = guard.make_error([((), 'a', REFUSED), ((), 'b',
                                                       REFUSED)])
        self.assertIs(exception.ImmutableParameterModified, type(error))
        self.assertEqual(HEATS + 'a, b', str(error))

    def test_nested_stack_is_named_by_path(self):
        error = guard.make_error([((), 'a', REFUSED),
                                  (('group', '0'), 'b', REFUSED)])
        self.assertEqual(HEATS + 'a, b of nested stack group/0', str(error))

    def test_error_describes_two_step_update(self):
        error = guard.make_error([((), 'a', LIFT_FIRST)])
        self.assertEqual(
            'First remove the restriction with an update that keeps the value '
            '(parameter_lift = two_step). Then change the value with a second '
            f'update. {HEATS}a', str(error))

    def test_restore_error_requires_update_first(self):
        error = guard.make_error([((), 'a', REFUSED)],
                                 rules.Operation.RESTORE)
        self.assertEqual(
            'A restore does not remove a restriction. First remove the '
            f'restriction with an update of the stack. {HEATS}a', str(error))

    def test_instruction_is_in_first_255_characters(self):
        # Heat truncates a reason at the length of the column.
        error = guard.make_error([(('group', str(index)), 'zone',
                                   REFUSED)
                                  for index in range(99)],
                                 rules.Operation.ROLLBACK)
        self.assertIn('A rollback does not change', str(error)[:255])


class ProcessTest(testtools.TestCase):
    """Refused updates are counted and logged."""

    def setUp(self):
        super().setUp()
        self.count = self.useFixture(fixtures.MockPatchObject(
            guard.counter_writes, 'count_event')).mock
        self.log = self.useFixture(fixtures.FakeLogger())

    def end_in(self, error):
        def proceed():
            try:
                raise error
            except type(error):
                raise dispatcher.ExpectedException() from None
        guard.process(rpc_request.Request(
            'update', 'context', arguments={'stack_identity': {
                'stack_name': 'web', 'stack_id': '1'}}), proceed)

    def test_refusal_is_counted_and_logged_in_one_line(self):
        self.assertRaises(dispatcher.ExpectedException, self.end_in,
                          guard.make_error([((), 'zone', REFUSED)]))
        self.count.assert_called_once_with('1', 'parameter', 'update',
                                           'context')
        self.assertEqual(f'update of stack web (1) refused: {HEATS}zone\n',
                         self.log.output)

    def test_newline_in_parameter_name_is_escaped_in_log(self):
        # Heat accepts any parameter name.
        self.assertRaises(dispatcher.ExpectedException, self.end_in,
                          guard.make_error([((), 'zone\nCRITICAL',
                                             REFUSED)]))
        self.assertEqual(1, self.log.output.count('\n'))
        self.assertIn(r'zone\nCRITICAL', self.log.output)

    def test_other_errors_are_not_counted(self):
        self.assertRaises(dispatcher.ExpectedException, self.end_in,
                          exception.StackValidationFailed(message='no'))
        self.count.assert_not_called()
        self.assertEqual('', self.log.output)
