# SPDX-License-Identifier: Apache-2.0

"""Tests of what people read."""

import testtools

from heat_extras.update_plan import change
from heat_extras.update_policy import messages


class MessagesTest(testtools.TestCase):

    def test_a_refusal_names_every_problem_and_what_to_do(self):
        text = messages.make_refusal([
            messages.describe_forbidden('a', 'OS::Type', change.REMOVE, 'a'),
            messages.describe_forbidden('n/b', 'OS::Type', change.UPDATE, 'n',
                                        'why')
        ], messages.BY_UPDATE)
        self.assertIn('nothing was changed', text)
        self.assertIn('resource a (OS::Type) would be removed, which its '
                      'update_policy forbids (replace: false)', text)
        self.assertIn('resource n/b (OS::Type) would be updated in place '
                      '(why), which the update_policy of resource n forbids '
                      '(update: false)', text)
        self.assertIn('allow the change in the template that you send', text)

    def test_a_refusal_names_as_many_as_there_is_room_for(self):
        text = messages.make_refusal(['x' * 400] * 450)
        self.assertLess(len(text), 65_535)
        named = text.count('x' * 400)
        self.assertTrue(text.endswith(f'; and {450 - named} more.'), named)

    def test_the_remedy_is_in_the_part_that_an_event_shows(self):
        for remedy in (messages.BY_UPDATE, messages.BY_TWO_UPDATES,
                       messages.BY_NO_RESTORE):
            event = messages.make_refusal(['x' * 400], remedy, False)[:255]
            self.assertIn(remedy, event)

    def test_a_short_refusal_is_told_in_full(self):
        self.assertEqual(
            'The update is rejected by update_policy.allow, and nothing was '
            'changed. To make this change, allow the change in the template '
            'that you send with the update. Reason: resource a (T) would be '
            'removed, which its update_policy forbids (replace: false).',
            messages.make_refusal(
                [messages.describe_forbidden('a', 'T', change.REMOVE, 'a')],
                messages.BY_UPDATE))

    def test_a_contradiction_alone_has_its_remedy_in_itself(self):
        text = messages.make_refusal(
            [messages.describe_conflict('n/b', 'replace', 'n')])
        self.assertIn('remove one of these settings', text)
        self.assertNotIn('To make this change', text)

    def test_of_a_nested_stack_alone_only_that_is_said(self):
        self.assertIn('nothing in it was changed',
                      messages.make_refusal(['a'], is_whole=False))

    def test_a_contradiction_names_both(self):
        text = messages.describe_conflict('n/b', 'replace', 'n')
        self.assertIn('n/b has "replace: true"', text)
        self.assertIn('n, which contains resource n/b, has "replace: false"',
                      text)

    def test_what_is_inside_is_named_with_what_goes(self):
        text = messages.describe_guarded_inside('n', 'n.yaml', change.REPLACE,
                                                'n/b')
        self.assertIn('resource n (n.yaml) would be replaced, but resource '
                      'n/b inside it is protected by its update_policy', text)
