# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.parameters import options
from heat_extras.parameters import words


class WordsTest(testtools.TestCase):
    def test_a_parameter_of_a_nested_stack_is_named_with_its_way(self):
        self.assertEqual('key', words.parameter((), 'key'))
        self.assertEqual('key of nested stack group/0',
                         words.parameter(('group', '0'), 'key'))

    def test_each_way_to_lift_is_told(self):
        lift = {option.name: option for option in options.OPTIONS}[
            'parameter_lift']
        self.assertEqual(set(lift.type.choices), set(words.HOW_TO_LIFT))
