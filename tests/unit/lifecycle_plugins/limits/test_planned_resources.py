# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle_plugins.limits import planned_resources


class LiteralsTest(testtools.TestCase):

    def test_values_that_the_template_has(self):
        self.assertEqual({'ttl': 5, 'masters': ['a', 'b']},
                         planned_resources._literals(
            {'ttl': 5, 'masters': ['a', 'b']}))

    def test_what_is_or_may_be_made_by_a_function(self):
        self.assertEqual({}, planned_resources._literals(
            {'ttl': {'get_param': 'x'}, 'masters': ['a', {'Ref': 'b'}],
             'map': {'a': 'b'}}))
        self.assertEqual({}, planned_resources._literals(None))
