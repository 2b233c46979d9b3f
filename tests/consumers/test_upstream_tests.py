# SPDX-License-Identifier: Apache-2.0

"""Comparison of the results of upstream tests; no test is run."""

import testtools

from tests.consumers import upstream_tests


class DifferencesTest(testtools.TestCase):
    def test_only_different_results_are_reported(self):
        self.assertEqual(
            [('lost', 'passed', None), ('new', None, 'passed'),
             ('worse', 'passed', 'failed')],
            upstream_tests.differences({
                upstream_tests.BARE: {
                    'same': 'passed', 'bad': 'failed', 'worse': 'passed',
                    'lost': 'passed'},
                upstream_tests.FULL: {
                    'same': 'passed', 'bad': 'failed', 'worse': 'failed',
                    'new': 'passed'}}))

    def test_comparison_fails_if_no_test_passed(self):
        self.assertEqual(
            ['No test passed on a bare Heat: nothing was compared'],
            upstream_tests.unlike({
                upstream_tests.BARE: {'found': {'a': 'failed'}},
                upstream_tests.FULL: {'found': {'a': 'failed'}}}))
        self.assertEqual(
            ['a: passed on a bare Heat, failed with everything on'],
            upstream_tests.unlike({
                upstream_tests.BARE: {'found': {'a': 'passed'}},
                upstream_tests.FULL: {'found': {'a': 'failed'}}}))
