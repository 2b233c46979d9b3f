# SPDX-License-Identifier: Apache-2.0

"""Tests of what people read."""

import testtools

from heat_extras.host import effect
from heat_extras.update_policy import words


class WordsTest(testtools.TestCase):

    def test_a_refusal_names_every_problem_and_what_to_do(self):
        text = words.refusal([
            words.forbidden('a', 'OS::Type', effect.REMOVE, 'a'),
            words.forbidden('n/b', 'OS::Type', effect.CHANGE, 'n', 'why')])
        self.assertIn('nothing was changed', text)
        self.assertIn('resource a (OS::Type) would be removed, which its '
                      'update_policy forbids (replace: false)', text)
        self.assertIn('resource n/b (OS::Type) would be updated in place '
                      '(why), which the update_policy of resource n forbids '
                      '(update: false)', text)
        self.assertIn('allow it in the template first', text)

    def test_a_refusal_names_as_many_as_there_is_room_for(self):
        text = words.refusal(['x' * 400] * 450)
        self.assertLess(len(text), 65_535)
        named = text.count('x' * 400)
        self.assertIn(f'; and {450 - named} more. To do it', text)

    def test_of_a_nested_stack_alone_only_that_is_said(self):
        self.assertIn('nothing in it was changed',
                      words.refusal(['a'], is_whole=False))

    def test_a_contradiction_names_both(self):
        text = words.conflict('n/b', 'replace', 'n')
        self.assertIn('n/b says replace: true', text)
        self.assertIn('n around it says replace: false', text)

    def test_what_is_inside_is_named_with_what_goes(self):
        text = words.guarded_inside('n', 'n.yaml', effect.RECREATE, 'n/b',
                                    'n/b')
        self.assertIn('resource n/b, inside n (n.yaml) which would be '
                      'replaced, is protected by its update_policy', text)
