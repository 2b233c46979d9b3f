# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.lifecycle import words


class Killed(BaseException):
    """The thread is being ended."""


class WordsTest(testtools.TestCase):
    def test_an_error_is_named_by_its_class_alone(self):
        self.assertEqual('Stack UPDATE could not begin: OSError',
                         words.not_begun('UPDATE', OSError('a secret')))

    def test_the_end_of_a_thread_is_no_error(self):
        self.assertEqual('Stack UPDATE could not begin: its thread was ended',
                         words.not_begun('UPDATE', Killed()))

    def test_a_refusal_tells_what_it_leaves(self):
        self.assertEqual('Nothing was deleted.',
                         words.untouched('DELETE', None, None))
        self.assertEqual('Nothing of stack web was changed.',
                         words.untouched('UPDATE', 'web', None))
        self.assertEqual('The CHECK that was under way is stopped, nothing '
                         'else was changed.',
                         words.untouched('UPDATE', None, 'CHECK'))

    def test_a_sentence_ends_once(self):
        self.assertEqual('No! Nothing was changed.', words.refused(
            'No!', 'Nothing was changed.', False))
        self.assertEqual('No. ' + words.RETRY, words.refused('No', '', True))

    def test_a_plugin_is_named_with_what_it_said(self):
        for said in (words.denied, words.failed_before, words.failed_after):
            text = said('UPDATE', 'billing', 'no money')
            for part in 'UPDATE', 'lifecycle plugin billing', ': no money':
                self.assertIn(part.lower(), text.lower())
