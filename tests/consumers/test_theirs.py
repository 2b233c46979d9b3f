# SPDX-License-Identifier: Apache-2.0

"""How results of other people's tests are compared; none is run."""

import testtools

from tests.consumers import theirs


class DifferencesTest(testtools.TestCase):
    def test_only_what_differs_is_told(self):
        self.assertEqual(
            [('lost', 'passed', None), ('new', None, 'passed'),
             ('worse', 'passed', 'failed')],
            theirs.differences({
                theirs.BARE: {'same': 'passed', 'bad': 'failed',
                              'worse': 'passed', 'lost': 'passed'},
                theirs.FULL: {'same': 'passed', 'bad': 'failed',
                              'worse': 'failed', 'new': 'passed'}}))
