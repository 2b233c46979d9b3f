# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.guards import words


class WordsTest(testtools.TestCase):
    def test_a_refusal_names_what_was_found_and_wanted(self):
        self.assertEqual(
            'Invalid query: found a, b, wanted any of nested, blocking.',
            words.unknown_query(['a', 'b'], ('nested', 'blocking')))
        self.assertEqual(
            "Invalid nested: found 'maybe', wanted true or false.",
            words.not_nested('maybe'))

    def test_how_a_restriction_is_lifted(self):
        self.assertEqual(
            'update stack shop with an environment without '
            'restricted_actions for web',
            words.lift_restriction('shop', 'restricted_actions', 'web'))
