# SPDX-License-Identifier: Apache-2.0

"""Comparison of the results of upstream tests; no test is run."""

import os

import fixtures
import testtools

from tests.consumers import results_file
from tests.consumers import upstream_tests

_LOCKED = ('Traceback ...\nheatclient.exc.HTTPConflict: ERROR: Stack web (ID) '
           'is locked (level stacks) by alice')


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


class FewerPassedTestsTest(testtools.TestCase):
    """Tests that pass on neither Heat are not a difference."""

    def setUp(self):
        super().setUp()
        self.path = os.path.join(
            self.useFixture(fixtures.TempDir()).path, 'kept.json')
        self._keep(upstream_tests.entry('heatclient', 'heatclient 5', None, {
            name: {'found': {'a': 'passed', 'b': 'passed', 'c': 'failed'},
                   'answers': {}} for name in (upstream_tests.BARE,
                                               upstream_tests.FULL)}))

    def _keep(self, entry):
        results_file.keep(self.path, results_file.TESTS, [entry])

    def _fewer(self, *passed, release='heatclient 5'):
        run = {'found': dict.fromkeys(passed, 'passed'), 'answers': {}}
        return upstream_tests.fewer(self.path, upstream_tests.entry(
            'heatclient', release, None,
            {upstream_tests.BARE: run, upstream_tests.FULL: run}))

    def test_fewer_passed_tests_of_same_release_are_reported(self):
        self.assertEqual(
            ['1 tests passed on a bare Heat, and 2 before: heatclient 5'],
            self._fewer('a'))
        self.assertEqual([], self._fewer('a', 'd'))

    def test_results_of_other_release_are_not_compared(self):
        self.assertEqual([], self._fewer('a', release='heatclient 6'))

    def test_missing_results_file_is_not_compared(self):
        os.remove(self.path)
        self.assertEqual([], self._fewer('a'))


class UnexplainedTest(testtools.TestCase):
    def test_failure_without_lock_error_is_unexplained(self):
        self.assertEqual(
            [('odd', 'Timed out'), ('twice', 'Timed out')],
            upstream_tests.unexplained(
                {'found': {'bad': 'failed', 'odd': 'passed',
                           'refused': 'passed', 'twice': 'passed'}},
                {'found': dict.fromkeys(
                    ('bad', 'odd', 'refused', 'twice'), 'failed'),
                 'said': {'bad': ['404'], 'odd': ['Timed out'],
                          'refused': [_LOCKED],
                          'twice': [_LOCKED, 'Timed out']}}))

    def test_lock_error_of_other_stack_explains_failure(self):
        # Another stack may be locked, to which a resource speaks as a client;
        # one's own is not while it is operated on.
        remote = (f'my_stack is in SUSPEND_FAILED status due to '
                  f'"HTTPConflict: resources.my_stack: ERROR: {_LOCKED}"')
        own = remote.replace('HTTPConflict: ', 'StackLocked: ')
        self.assertEqual([('own', own)], upstream_tests.unexplained(
            {'found': {'own': 'passed', 'remote': 'passed'}},
            {'found': {'own': 'failed', 'remote': 'failed'},
             'said': {'own': [own], 'remote': [remote]}}))

    def test_failure_without_output_is_unexplained(self):
        self.assertEqual(
            [('mute', upstream_tests.NOTHING)],
            upstream_tests.unexplained({'found': {'mute': 'passed'}}, {
                'found': {'mute': 'failed', 'good': 'passed'}, 'said': {}}))

    def test_tests_not_run_with_locks_are_violations(self):
        nothing = {'said': {}, 'answers': {}, 'concurrent_user': [],
                   'others': {'lock 200': 1}}
        self.assertEqual(
            ['a: passed with everything on, None beside locks',
             'c: passed with everything on, skipped beside locks'],
            upstream_tests.violations({
                upstream_tests.FULL: {**nothing, 'found': {
                    'a': 'passed', 'b': 'skipped', 'c': 'passed',
                    'd': 'failed'}},
                upstream_tests.LOCKED: {**nothing, 'found': {
                    'b': 'skipped', 'c': 'skipped', 'd': 'passed'}}}))

    def test_run_without_any_lock_is_violation(self):
        nothing = {'found': {}, 'said': {}, 'answers': {},
                   'concurrent_user': []}
        self.assertEqual(
            ['Nobody got a lock: nothing was tried'],
            upstream_tests.violations({
                upstream_tests.FULL: nothing,
                upstream_tests.LOCKED: {
                    **nothing, 'others': {'lock 409': 7}}}))

    def test_server_errors_are_violations(self):
        nothing = {'found': {}, 'said': {}, 'answers': {}}
        self.assertEqual(
            ['web stays: DELETE_FAILED', '2 answers had the status 500',
             '1 answers had the status 503'],
            upstream_tests.violations({
                upstream_tests.FULL: nothing,
                upstream_tests.LOCKED: {
                    **nothing, 'concurrent_user': ['web stays: DELETE_FAILED'],
                    'others': {'lock 200': 1},
                    'answers': {'200': 7, '409': 3, '500': 2, '503': 1}}}))
