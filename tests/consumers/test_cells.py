# SPDX-License-Identifier: Apache-2.0

"""How what a consumer told is judged; nothing is run."""

import os

import testtools

from tests.consumers import cells
from tests.consumers import chronicle
from tests.consumers import matrix
from tests.consumers import scene as scenes

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
                (cells.SUCCESS, scenes.DONE, cells.RIGHT),
                (cells.SUCCESS, scenes.UNDER_WAY, cells.EARLY),
                (cells.FAILURE, scenes.DONE, cells.FALSE_FAILURE),
                (cells.SILENCE, scenes.DONE, cells.STUCK)):
            self._assert(wanted, scenes.UPDATE, told, scenes.DONE, at_end,
                         _LOCKED)

    def test_of_what_failed(self):
        for told, happened, wanted in (
                (cells.FAILURE, scenes.FAILED, cells.RIGHT),
                (cells.FAILURE, scenes.ROLLED_BACK, cells.RIGHT),
                (cells.SUCCESS, scenes.ROLLED_BACK, cells.FALSE_SUCCESS)):
            self._assert(wanted, scenes.BAD_UPDATE, told, happened)

    def test_of_what_was_refused(self):
        for told, said, wanted in (
                (cells.FAILURE, _LOCKED, cells.RIGHT),
                (cells.FAILURE, "module 'openstack' has no attribute "
                 "'version'", cells.UNEXPLAINED),
                (cells.SUCCESS, _LOCKED, cells.FALSE_SUCCESS)):
            self._assert(wanted, scenes.UPDATE, told, scenes.NOTHING,
                         said=said, situation='before')

    def test_a_guard_that_does_not_do_what_it_promises_is_no_success(self):
        for situation, operation, told, happened in (
                # The lock holds nobody.
                ('before', scenes.UPDATE, cells.SUCCESS, scenes.DONE),
                ('freeze', scenes.CREATE, cells.SUCCESS, scenes.DONE),
                ('delete protection', scenes.DELETE, cells.SUCCESS,
                 scenes.DONE),
                # Or somebody whom it lets through, or by whom it stood.
                ('pass', scenes.UPDATE, cells.FAILURE, scenes.NOTHING),
                ('delete protection', scenes.UPDATE, cells.FAILURE,
                 scenes.NOTHING),
                ('at its end', scenes.UPDATE, cells.FAILURE, scenes.FAILED),
                ('asked for during it', scenes.UPDATE, cells.FAILURE,
                 scenes.ROLLED_BACK),
                # Or Heat never comes to an end.
                ('none', scenes.UPDATE, cells.FAILURE, scenes.UNDER_WAY)):
            self._assert(cells.BROKEN, operation, told, happened,
                         said=_LOCKED, situation=situation)

    def test_a_lock_that_ends_soon_may_be_met_or_not(self):
        for told, happened in ((cells.FAILURE, scenes.NOTHING),
                               (cells.SUCCESS, scenes.DONE)):
            self._assert(cells.RIGHT, scenes.UPDATE, told, happened,
                         said=_LOCKED, situation='before, ends soon')


class WrongTest(testtools.TestCase):
    """What ends a run of the matrix with a failure."""

    def _assert(self, is_wrong, *fields, **more):
        self.assertEqual(is_wrong, bool(matrix.wrong(
            [_result(*fields, **more)])))

    def test_with_the_default_each_verdict_that_is_not_right(self):
        for told, happened, at_end, situation in (
                (cells.SILENCE, scenes.DONE, scenes.DONE, 'at its end'),
                (cells.FAILURE, scenes.DONE, scenes.DONE, 'at its end'),
                (cells.SUCCESS, scenes.DONE, scenes.UNDER_WAY, 'pass'),
                (cells.SUCCESS, scenes.NOTHING, scenes.NOTHING, 'before'),
                (cells.FAILURE, scenes.NOTHING, scenes.NOTHING, 'before')):
            fields = scenes.UPDATE, told, happened, at_end
            self._assert(True, *fields, situation=situation)
        self._assert(False, scenes.UPDATE, cells.SUCCESS, scenes.DONE)

    def test_with_another_overlay_only_what_a_guard_does_not_do(self):
        self._assert(False, scenes.UPDATE, cells.SILENCE, scenes.DONE,
                     situation='at its end', overlay='full')
        self._assert(True, scenes.UPDATE, cells.SUCCESS, scenes.DONE,
                     situation='before', overlay='full')

    def test_what_is_reported_of_others_is_known(self):
        fields = scenes.BAD_UPDATE, cells.SUCCESS, scenes.ROLLED_BACK
        self._assert(False, *fields, consumer='sdk')
        self._assert(True, *fields, consumer='sdk-proxy')

    def test_nothing_that_is_kept_is_wrong(self):
        kept = chronicle.read(os.path.join(
            os.path.dirname(__file__), '..', '..', 'doc', 'source',
            'consumers.json'))[chronicle.CELLS]
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
