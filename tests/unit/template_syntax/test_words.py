# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.template_syntax import words


class IdleTest(testtools.TestCase):

    def test_names_what_does_nothing_and_why(self):
        said = words.idle({'parameters': {'key', 'db/key'},
                           'update_policy': set()})
        self.assertEqual(
            'Not guarded: parameters of heat-extras is off in this cloud '
            '(ask its operator), so these words do nothing: updatable: false '
            'of parameter db/key, key', said)

    def test_fits_into_an_event(self):
        said = words.idle({'parameters': {'a' * 255},
                           'update_policy': {'b' * 255}})
        self.assertEqual(255, len(said))
        self.assertIn('parameters and update_policy of heat-extras are off',
                      said)

    def test_names_the_first_of_many(self):
        said = words.idle({'update_policy': {f'r{n}' for n in range(9)}})
        self.assertIn('update_policy.allow of resource r0, r1, r2, r3, r4, '
                      'and 4 more', said)


class AtStartTest(testtools.TestCase):

    def test_is_one_line_that_says_what_to_do(self):
        said = words.at_start({'parameters': 1, 'update_policy': 0,
                               'stack_lock': 2})
        self.assertEqual(
            'heat-extras: found 1 stack with "updatable: false", 2 locked '
            'or protected stacks, which do nothing now: parameters, '
            'stack_lock not in [heat_extras] features. heat-extras-status '
            'upgrade check names them', said)
