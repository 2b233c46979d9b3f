# SPDX-License-Identifier: Apache-2.0

from heat_extras.client.osc import lock
from tests.unit.client.osc import base


class StacksCommandTest(base.CommandTestCase):

    def heads(self, *arguments):
        for name in 'web', 'mail':
            self.heat.add(name)
        lines = self.call(lock.LockStack, *arguments)[1].splitlines()
        return [each.strip() for each in lines[1].strip('|').split('|')]

    def test_single_stack_is_shown_as_fields(self):
        self.assertEqual(['Field', 'Value'], self.heads('web'))

    def test_several_stacks_are_shown_as_rows(self):
        self.assertEqual(['Stack Name', 'Lock Level', 'Lock Status', 'Result'],
                         self.heads('web', 'mail'))

    def test_single_stack_with_columns_is_shown_as_row(self):
        self.assertEqual(['Lock ID'], self.heads('web', '-c', 'Lock ID'))
