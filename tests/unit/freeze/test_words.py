# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.freeze import words


class WordsTest(testtools.TestCase):
    def test_a_refusal_is_one_sentence_with_all_that_helps(self):
        self.assertEqual(
            'Stack web (1234) is frozen until 2027-01-02T06:00:00Z (year-end:'
            ' bank holidays), update refused: try again at '
            '2027-01-02T06:00:00Z.',
            words.refused('update', 'web (1234)', 'year-end', 'bank holidays',
                          '2027-01-02T06:00:00Z'))

    def test_without_an_end_or_a_reason(self):
        self.assertEqual(
            'Stack web is frozen (always), create refused: ask the operator '
            'of this Heat when it ends.',
            words.refused('create', 'web', 'always', None, None))
