# SPDX-License-Identifier: Apache-2.0

from heat.common import exception
import sqlalchemy
import testtools

from heat_extras.lifecycle import denial


class DenialTest(testtools.TestCase):

    def test_what_is_meant_as_a_denial(self):
        for error in (denial.Denied('no'), Exception('no'),
                      exception.StackValidationFailed(message='no')):
            self.assertTrue(denial.is_denial(error), error)
            self.assertEqual('no', denial.text(error))

    def test_what_is_an_error(self):
        for error in (KeyError('x'), ConnectionError('x'), SystemExit('x')):
            self.assertFalse(denial.is_denial(error), error)
        self.assertEqual('ConnectionError: x',
                         denial.text(ConnectionError('x')))

    def test_what_has_no_words_that_can_be_shown(self):
        class Silent(Exception):
            def __str__(self):
                raise SystemExit()

        self.assertEqual('Silent: its reason cannot be shown',
                         denial.text(Silent()))

    def test_a_denial_without_a_word(self):
        self.assertEqual('no reason given', denial.text(Exception()))

    def test_a_database_is_not_quoted(self):
        said = denial.text(sqlalchemy.exc.OperationalError(
            'SELECT 1', {}, Exception('gone away')))
        self.assertIn('OperationalError: an unexpected error', said)
        self.assertNotIn('SELECT', said)
        self.assertNotIn('gone away', said)
