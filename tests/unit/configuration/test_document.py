# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.configuration import document
from heat_extras import errors

TEXT = """\
things:
  - name: one
    size: 1
  - name: one
    size: 2
    size: 3
"""


class DocumentTest(testtools.TestCase):
    def parse(self, text=TEXT):
        return document.parse('[x] y', 'f.yaml', text, 'things', 'thing')

    def test_problems_are_told_in_the_order_of_their_lines(self):
        found = self.parse()
        error = self.assertRaises(
            errors.ActivationError, found.refuse,
            [*found.repeated(), *found.named(), (('other',), 'x'),
             (('things', 0, 'size'), 'found 1, wanted 2')])
        self.assertEqual((
            '[x] y: f.yaml, line 1: x',
            '[x] y: f.yaml, line 2, thing one: found another thing of this '
            'name',
            '[x] y: f.yaml, line 3, thing one: found 1, wanted 2',
            '[x] y: f.yaml, line 4, thing one: found another thing of this '
            'name',
            '[x] y: f.yaml, line 6, thing one: found size twice'),
            error.args)

    def test_nothing_is_wrong(self):
        self.assertIsNone(self.parse().refuse([]))

    def test_entries_that_are_none(self):
        for text in '', '[]', 'things: 7', 'other: []':
            self.assertEqual([], self.parse(text).entries())
        self.assertEqual([7], self.parse('things: [7]').entries())
        self.assertEqual([], [*self.parse('things: [7]').named()])

    def test_an_entry_without_a_name_has_its_number(self):
        error = self.assertRaises(
            errors.ActivationError, self.parse('things:\n- size: 1').refuse,
            [(('things', 0, 'size'), 'x')])
        self.assertIn('line 2, thing number 1: x', str(error))
