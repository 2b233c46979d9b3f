# SPDX-License-Identifier: Apache-2.0

"""Tests of the messages about refused changes."""

import testtools

from heat_extras.plan import change
from heat_extras.update_policy import rules


class MessagesTest(testtools.TestCase):

    def test_refusal_has_every_problem_and_remedy(self):
        text = rules.make_refusal([
            ('a', rules.describe_forbidden('a', 'OS::Type', change.REMOVE,
                                           'a')),
            ('n/b', rules.describe_forbidden(
                'n/b', 'OS::Type', change.UPDATE, 'n', 'why'))
        ], rules.BY_UPDATE)
        self.assertIn('nothing was changed', text)
        self.assertIn('resource a (OS::Type) would be removed, which its '
                      'update_policy forbids (replace: false)', text)
        self.assertIn('resource n/b (OS::Type) would be updated in place '
                      '(why), which the update_policy of resource n forbids '
                      '(update: false)', text)
        self.assertIn('allow the change in the template that you send', text)

    def test_long_refusal_has_count_of_problems_left_out(self):
        text = rules.make_refusal([('a', 'x' * 400)] * 450)
        self.assertLess(len(text), 65_535)
        named = text.count('x' * 400)
        self.assertTrue(text.endswith(f'; and {450 - named} more.'), named)

    def test_names_and_remedy_are_in_first_255_characters(self):
        for remedy in (rules.BY_UPDATE, rules.BY_TWO_UPDATES,
                       rules.BY_TWO_UPDATES_UNMARKED,
                       rules.BY_NO_RESTORE):
            for problems in ([('database', 'x' * 400)],
                             [('database', 'x'), ('note', 'y' * 400)]):
                event = rules.make_refusal(problems, remedy)[:255]
                self.assertIn(remedy, event)
                for path, _text in problems:
                    self.assertIn(path, event.partition(remedy)[0])
            for path in 'a' * 255, 'database':
                event = rules.make_refusal(
                    [(f'{path}{number}', 'x') for number in range(100)],
                    remedy, False)[:255]
                self.assertIn(remedy, event)
                self.assertIn(f'{path[:8]}', event.partition(remedy)[0])

    def test_refusal_with_one_problem_has_full_text(self):
        self.assertEqual(
            'The update is rejected, and nothing was changed: resource a (T) '
            'would be removed, which its update_policy forbids (replace: '
            'false). To make this change, allow the change in the template '
            'that you send with the update.',
            rules.make_refusal(
                [('a', rules.describe_forbidden('a', 'T', change.REMOVE,
                                                'a'))],
                rules.BY_UPDATE))

    def test_contradiction_alone_has_no_separate_remedy(self):
        text = rules.make_refusal(
            [('n/b', rules.describe_conflict('n/b', 'replace', 'n'))])
        self.assertIn('remove one of these settings', text)
        self.assertNotIn('To make this change', text)

    def test_refusal_in_nested_stack_is_not_about_whole_update(self):
        self.assertIn('nothing in it was changed',
                      rules.make_refusal([('a', 'a')], is_whole=False))

    def test_contradiction_names_both_resources(self):
        text = rules.describe_conflict('n/b', 'replace', 'n')
        self.assertIn('n/b has "replace: true"', text)
        self.assertIn('n, which contains resource n/b, has "replace: false"',
                      text)

    def test_replacement_names_protected_resource_inside(self):
        text = rules.describe_guarded_inside('n', 'n.yaml', change.REPLACE,
                                             'n/b')
        self.assertIn('resource n (n.yaml) would be replaced, but resource '
                      'n/b inside it is protected by its update_policy', text)
