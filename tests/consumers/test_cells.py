# SPDX-License-Identifier: Apache-2.0

"""How what a consumer told is judged; nothing is run."""

import os

import testtools

from tests.consumers import cells
from tests.consumers import matrix
from tests.consumers import results_file
from tests.consumers import scenarios

_LOCKED = 'ERROR: Stack web (ID) is locked (level stacks) by alice'


def _result(operation, told, happened, at_end=None, said='',
            situation='none', overlay='off', consumer='heatclient'):
    return cells.Result(consumer, overlay, situation, operation, happened,
                        told, said, 1.0, at_end or happened, '27.0.1', '1')


class VerdictTest(testtools.TestCase):
    def _assert(self, wanted, *fields, **more):
        result = _result(*fields, **more)
        self.assertEqual(wanted, result.verdict, result)

    def test_of_what_was_done(self):
        for told, at_end, wanted in (
                (cells.SUCCESS, scenarios.DONE, cells.RIGHT),
                (cells.SUCCESS, scenarios.UNDER_WAY, cells.EARLY),
                (cells.FAILURE, scenarios.DONE, cells.FALSE_FAILURE),
                (cells.SILENCE, scenarios.DONE, cells.STUCK)):
            self._assert(wanted, scenarios.UPDATE, told, scenarios.DONE,
                         at_end, _LOCKED)

    def test_of_what_failed(self):
        for told, happened, wanted in (
                (cells.FAILURE, scenarios.FAILED, cells.RIGHT),
                (cells.FAILURE, scenarios.ROLLED_BACK, cells.RIGHT),
                (cells.SUCCESS, scenarios.ROLLED_BACK, cells.FALSE_SUCCESS)):
            self._assert(wanted, scenarios.BAD_UPDATE, told, happened)

    def test_of_what_was_refused(self):
        for told, said, wanted in (
                (cells.FAILURE, _LOCKED, cells.RIGHT),
                (cells.FAILURE, "module 'openstack' has no attribute "
                 "'version'", cells.UNEXPLAINED),
                (cells.SUCCESS, _LOCKED, cells.FALSE_SUCCESS)):
            self._assert(wanted, scenarios.UPDATE, told, scenarios.NOTHING,
                         said=said, situation='before')

    def test_a_guard_that_does_not_do_what_it_promises_is_no_success(self):
        for situation, operation, told, happened in (
                # The guard does not reject the operation.
                ('before', scenarios.UPDATE, cells.SUCCESS, scenarios.DONE),
                ('freeze', scenarios.CREATE, cells.SUCCESS, scenarios.DONE),
                ('delete protection', scenarios.DELETE, cells.SUCCESS,
                 scenarios.DONE),
                # It rejects an operation that it should allow.
                ('pass', scenarios.UPDATE, cells.FAILURE, scenarios.NOTHING),
                ('delete protection', scenarios.UPDATE, cells.FAILURE,
                 scenarios.NOTHING),
                ('at its end', scenarios.UPDATE, cells.FAILURE,
                 scenarios.FAILED),
                ('asked for during it', scenarios.UPDATE, cells.FAILURE,
                 scenarios.ROLLED_BACK),
                # Heat does not finish the operation.
                ('none', scenarios.UPDATE, cells.FAILURE,
                 scenarios.UNDER_WAY)):
            self._assert(cells.BROKEN, operation, told, happened,
                         said=_LOCKED, situation=situation)

    def test_a_lock_that_ends_soon_may_be_met_or_not(self):
        for told, happened in ((cells.FAILURE, scenarios.NOTHING),
                               (cells.SUCCESS, scenarios.DONE)):
            self._assert(cells.RIGHT, scenarios.UPDATE, told, happened,
                         said=_LOCKED, situation='before, ends soon')


class WrongTest(testtools.TestCase):
    """What ends a run of the matrix with a failure."""

    def _assert(self, is_wrong, *fields, **more):
        self.assertEqual(is_wrong, bool(matrix.wrong(
            [_result(*fields, **more)])))

    def test_with_the_default_each_verdict_that_is_not_right(self):
        for told, happened, at_end, situation in (
                (cells.SILENCE, scenarios.DONE, scenarios.DONE, 'at its end'),
                (cells.FAILURE, scenarios.DONE, scenarios.DONE, 'at its end'),
                (cells.SUCCESS, scenarios.DONE, scenarios.UNDER_WAY, 'pass'),
                (cells.SUCCESS, scenarios.NOTHING, scenarios.NOTHING,
                 'before'),
                (cells.FAILURE, scenarios.NOTHING, scenarios.NOTHING,
                 'before')):
            fields = scenarios.UPDATE, told, happened, at_end
            self._assert(True, *fields, situation=situation)
        self._assert(False, scenarios.UPDATE, cells.SUCCESS, scenarios.DONE)

    def test_with_another_overlay_only_what_a_guard_does_not_do(self):
        self._assert(False, scenarios.UPDATE, cells.SILENCE, scenarios.DONE,
                     situation='at its end', overlay='full')
        self._assert(True, scenarios.UPDATE, cells.SUCCESS, scenarios.DONE,
                     situation='before', overlay='full')

    def test_what_is_reported_of_others_is_known(self):
        fields = scenarios.BAD_UPDATE, cells.SUCCESS, scenarios.ROLLED_BACK
        self._assert(False, *fields, consumer='sdk')
        self._assert(True, *fields, consumer='sdk-proxy')

    def test_nothing_that_is_kept_is_wrong(self):
        kept = results_file.read(os.path.join(
            os.path.dirname(__file__), '..', '..', 'doc', 'source',
            'consumers.json'))[results_file.CELLS]
        self.assertEqual(
            [], matrix.wrong([cells.Result(**each) for each in kept]))


class SaidTest(testtools.TestCase):
    def test_the_last_line_is_worth_reading(self):
        self.assertEqual('b', cells.shortened('a\nb\n\n+---+\n'))

    def test_of_ansible_the_line_with_the_message(self):
        self.assertEqual(
            '[ERROR]: Task failed: it is locked',
            cells.shortened('PLAY [localhost]\n[ERROR]: Task failed: it is '
                            'locked\n\nPLAY RECAP\nlocalhost: failed=1\n'))

    def test_nothing_differs_by_run(self):
        self.assertEqual(
            'PROJECT ID TIME URL/v1', cells.shortened(
                'cell-12-tpdfvedvwmlj 0f0e1d8c-2222-4333-8444-0123456789ab '
                '2026-11-23T14:00:01Z http://127.0.0.1:8004/v1'))
