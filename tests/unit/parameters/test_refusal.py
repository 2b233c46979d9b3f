# SPDX-License-Identifier: Apache-2.0

from heat.common import exception as heat_exception
import testtools

from heat_extras.parameters import refusal
from heat_extras.parameters import rules

REFUSED, LIFT_FIRST = rules.Answer.REFUSED, rules.Answer.LIFT_FIRST
HEATS = 'The following parameters are immutable and may not be updated: '


class RefusalTest(testtools.TestCase):
    def test_it_is_heats_own_error(self):
        error = refusal.error([((), 'a', REFUSED), ((), 'b', REFUSED)])
        self.assertIs(heat_exception.ImmutableParameterModified, type(error))
        self.assertEqual(HEATS + 'a, b', str(error))

    def test_a_nested_stack_is_named_by_its_path(self):
        error = refusal.error([((), 'a', REFUSED),
                               (('group', '0'), 'b', REFUSED)])
        self.assertEqual(HEATS + 'a, b of nested stack group/0', str(error))

    def test_it_tells_how_to_lift_a_restriction(self):
        error = refusal.error([((), 'a', LIFT_FIRST)])
        self.assertEqual(
            HEATS + 'a. Here a restriction must be lifted first, by an '
            'update that keeps the value (parameter_lift = two_step).',
            str(error))

    def test_a_restore_lifts_none(self):
        error = refusal.error([((), 'a', REFUSED)], rules.Operation.RESTORE)
        self.assertEqual(
            HEATS + 'a. A restore lifts no restriction: let an update of '
            'the stack lift it first.', str(error))
