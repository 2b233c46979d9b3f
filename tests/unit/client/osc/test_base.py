# SPDX-License-Identifier: Apache-2.0

import types

from osc_lib import exceptions

from heat_extras.client.osc import base as osc_base
from heat_extras.client.osc import lock
from heat_extras.client.osc import lock_list
from tests.unit.client.osc import base


class SpellingTest(base.CommandTestCase):

    def test_a_stack_with_the_beginning_of_a_word_is_not_left_unlocked(self):
        for typed in 'l', 'lis':
            error = self.assertRaises(
                exceptions.CommandError, self.call, lock_list.ListLocks,
                name=f'stack lock {typed}')
            self.assertEqual(
                f'found "stack lock {typed}", wanted "stack lock list", or '
                f'for a stack with that name "stack lock -- {typed}". Nothing '
                'was done', str(error))
        self.assertEqual([], self.heat.requests)

    def test_so_is_one_with_that_of_another_word(self):
        self.heat.add('web')
        error = self.assertRaises(
            exceptions.CommandError, self.call, lock.SetLock, '--no-expiry',
            'web', name='stack lock s')
        self.assertIn('"stack lock -- s". Nothing was done', str(error))
        self.assertEqual([], self.heat.requests)

    def test_the_word_itself_is_taken(self):
        for typed in 'stack lock list', 'st lo list', None:
            osc_base.check_spelling(types.SimpleNamespace(cmd_name=typed),
                                    'list')
