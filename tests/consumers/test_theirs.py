# SPDX-License-Identifier: Apache-2.0

"""How results of other people's tests are compared; none is run."""

import testtools

from tests.consumers import theirs

_LOCKED = ('Traceback ...\nheatclient.exc.HTTPConflict: ERROR: Stack web (ID) '
           'is locked (level stacks) by alice')


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

    def test_where_nothing_passed_nothing_was_compared(self):
        self.assertEqual(
            ['No test passed on a bare Heat: nothing was compared'],
            theirs.unlike({theirs.BARE: {'found': {'a': 'failed'}},
                           theirs.FULL: {'found': {'a': 'failed'}}}))
        self.assertEqual(
            ['a: passed on a bare Heat, failed with everything on'],
            theirs.unlike({theirs.BARE: {'found': {'a': 'passed'}},
                           theirs.FULL: {'found': {'a': 'failed'}}}))


class UnexplainedTest(testtools.TestCase):
    def test_each_failure_beside_locks_is_to_be_told_one(self):
        self.assertEqual(
            [('odd', 'Timed out'), ('twice', 'Timed out')],
            theirs.unexplained(
                {'found': {'bad': 'failed', 'odd': 'passed',
                           'refused': 'passed', 'twice': 'passed'}},
                {'said': {'bad': ['404'], 'odd': ['Timed out'],
                          'refused': [_LOCKED],
                          'twice': [_LOCKED, 'Timed out']}}))

    def test_an_error_of_the_server_is_one_whoever_got_it(self):
        nothing = {'found': {}, 'said': {}, 'answers': {}}
        self.assertEqual(
            ['web stays: DELETE_FAILED', '2 answers had the status 500',
             '1 answers had the status 503'],
            theirs.violations({theirs.FULL: nothing, theirs.LOCKED: {
                **nothing, 'rival': ['web stays: DELETE_FAILED'],
                'answers': {'200': 7, '409': 3, '500': 2, '503': 1}}}))
