# SPDX-License-Identifier: Apache-2.0

"""Verdicts on the results of consumers; no consumer is run."""

import os

import testtools

from tests.consumers import cases
from tests.consumers import matrix
from tests.consumers import results_file
from tests.consumers import scenarios

_LOCKED = 'ERROR: Stack web (ID) is locked (level stacks) by alice'


def _result(operation, outcome, happened, at_end=None, output='',
            situation='none', overlay='off', consumer='heatclient'):
    return cases.Result(consumer, overlay, situation, operation, happened,
                        outcome, output, 1.0, at_end or happened, '27.0.1',
                        '1')


class VerdictTest(testtools.TestCase):
    def _assert(self, wanted, *fields, **more):
        result = _result(*fields, **more)
        self.assertEqual(wanted, result.verdict, result)

    def test_verdict_on_completed_operation(self):
        for outcome, at_end, wanted in (
                (cases.SUCCESS, scenarios.DONE, cases.RIGHT),
                (cases.SUCCESS, scenarios.UNDER_WAY, cases.EARLY),
                (cases.FAILURE, scenarios.DONE, cases.FALSE_FAILURE),
                (cases.SILENCE, scenarios.DONE, cases.STUCK)):
            self._assert(wanted, scenarios.UPDATE, outcome, scenarios.DONE,
                         at_end, _LOCKED)

    def test_verdict_on_failed_operation(self):
        for outcome, happened, wanted in (
                (cases.FAILURE, scenarios.FAILED, cases.RIGHT),
                (cases.FAILURE, scenarios.ROLLED_BACK, cases.RIGHT),
                (cases.SUCCESS, scenarios.ROLLED_BACK, cases.FALSE_SUCCESS)):
            self._assert(wanted, scenarios.BAD_UPDATE, outcome, happened)

    def test_verdict_on_rejected_operation(self):
        for outcome, output, wanted in (
                (cases.FAILURE, _LOCKED, cases.RIGHT),
                (cases.FAILURE, "module 'openstack' has no attribute "
                 "'version'", cases.UNEXPLAINED),
                (cases.SUCCESS, _LOCKED, cases.FALSE_SUCCESS)):
            self._assert(wanted, scenarios.UPDATE, outcome, scenarios.NOTHING,
                         output=output, situation='before')

    def test_verdict_is_broken_if_guard_does_not_work(self):
        for situation, operation, outcome, happened in (
                # The guard does not reject the operation.
                ('before', scenarios.UPDATE, cases.SUCCESS, scenarios.DONE),
                ('freeze', scenarios.CREATE, cases.SUCCESS, scenarios.DONE),
                ('delete protection', scenarios.DELETE, cases.SUCCESS,
                 scenarios.DONE),
                # It rejects an operation that it should allow.
                ('pass', scenarios.UPDATE, cases.FAILURE, scenarios.NOTHING),
                ('delete protection', scenarios.UPDATE, cases.FAILURE,
                 scenarios.NOTHING),
                ('at its end', scenarios.UPDATE, cases.FAILURE,
                 scenarios.FAILED),
                ('asked for during it', scenarios.UPDATE, cases.FAILURE,
                 scenarios.ROLLED_BACK),
                # Heat does not finish the operation.
                ('none', scenarios.UPDATE, cases.FAILURE,
                 scenarios.UNDER_WAY)):
            self._assert(cases.BROKEN, operation, outcome, happened,
                         output=_LOCKED, situation=situation)

    def test_verdict_is_right_with_and_without_expiring_lock(self):
        for outcome, happened in ((cases.FAILURE, scenarios.NOTHING),
                                  (cases.SUCCESS, scenarios.DONE)):
            self._assert(cases.RIGHT, scenarios.UPDATE, outcome, happened,
                         output=_LOCKED, situation='before, ends soon')


class FailedRunTest(testtools.TestCase):
    """The results that make a run of the matrix fail."""

    def _assert(self, is_wrong, *fields, **more):
        self.assertEqual(is_wrong, bool(matrix.wrong(
            [_result(*fields, **more)])))

    def test_default_overlay_fails_for_each_verdict_except_right(self):
        for outcome, happened, at_end, situation in (
                (cases.SILENCE, scenarios.DONE, scenarios.DONE, 'at its end'),
                (cases.FAILURE, scenarios.DONE, scenarios.DONE, 'at its end'),
                (cases.SUCCESS, scenarios.DONE, scenarios.UNDER_WAY, 'pass'),
                (cases.SUCCESS, scenarios.NOTHING, scenarios.NOTHING,
                 'before'),
                (cases.FAILURE, scenarios.NOTHING, scenarios.NOTHING,
                 'before')):
            fields = scenarios.UPDATE, outcome, happened, at_end
            self._assert(True, *fields, situation=situation)
        self._assert(False, scenarios.UPDATE, cases.SUCCESS, scenarios.DONE)

    def test_other_overlay_fails_only_for_broken_guard(self):
        self._assert(False, scenarios.UPDATE, cases.SILENCE, scenarios.DONE,
                     situation='at its end', overlay='full')
        self._assert(True, scenarios.UPDATE, cases.SUCCESS, scenarios.DONE,
                     situation='before', overlay='full')

    def test_known_defect_of_consumer_does_not_fail(self):
        fields = scenarios.BAD_UPDATE, cases.SUCCESS, scenarios.ROLLED_BACK
        self._assert(False, *fields, consumer='sdk')
        self._assert(True, *fields, consumer='sdk-proxy')

    def test_no_published_result_fails(self):
        kept = results_file.read(os.path.join(
            os.path.dirname(__file__), '..', '..', 'doc', 'source',
            'consumers.json'))[results_file.CASES]
        self.assertEqual(
            [], matrix.wrong([cases.Result(**each) for each in kept]))


class ShortenedOutputTest(testtools.TestCase):
    def test_last_line_with_words_is_kept(self):
        self.assertEqual('b', cases.shortened('a\nb\n\n+---+\n'))

    def test_error_line_of_ansible_is_kept(self):
        self.assertEqual(
            '[ERROR]: Task failed: it is locked',
            cases.shortened('PLAY [localhost]\n[ERROR]: Task failed: it is '
                            'locked\n\nPLAY RECAP\nlocalhost: failed=1\n'))

    def test_ids_times_and_urls_are_replaced(self):
        self.assertEqual(
            'PROJECT ID TIME URL/v1', cases.shortened(
                'case-12-tpdfvedvwmlj 0f0e1d8c-2222-4333-8444-0123456789ab '
                '2026-11-23T14:00:01Z http://127.0.0.1:8004/v1'))
