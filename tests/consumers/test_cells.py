# SPDX-License-Identifier: Apache-2.0

"""How what a consumer told is judged; nothing is run."""

import testtools

from tests.consumers import cells
from tests.consumers import scene as scenes

_LOCKED = 'ERROR: Stack web (ID) is locked (level stacks) by alice'


class VerdictTest(testtools.TestCase):
    def test_each_of_them(self):
        for told, happened, at_end, said, wanted in (
                (cells.SUCCESS, scenes.DONE, scenes.DONE, '', cells.RIGHT),
                (cells.SUCCESS, scenes.DONE, scenes.UNDER_WAY, '',
                 cells.EARLY),
                (cells.FAILURE, scenes.DONE, scenes.DONE, _LOCKED,
                 cells.FALSE_FAILURE),
                (cells.FAILURE, scenes.FAILED, scenes.FAILED, '',
                 cells.RIGHT),
                (cells.FAILURE, scenes.ROLLED_BACK, scenes.UNDER_WAY, '',
                 cells.RIGHT),
                (cells.FAILURE, scenes.NOTHING, scenes.NOTHING, _LOCKED,
                 cells.RIGHT),
                (cells.FAILURE, scenes.NOTHING, scenes.NOTHING,
                 "module 'openstack' has no attribute 'version'",
                 cells.UNEXPLAINED),
                (cells.SUCCESS, scenes.ROLLED_BACK, scenes.ROLLED_BACK, '',
                 cells.FALSE_SUCCESS),
                (cells.SUCCESS, scenes.NOTHING, scenes.NOTHING, _LOCKED,
                 cells.FALSE_SUCCESS),
                (cells.SILENCE, scenes.DONE, scenes.DONE, '', cells.STUCK)):
            result = cells.Result('', '', '', '', happened, told, said, 1.0,
                                  at_end, '27.0.1', '1')
            self.assertEqual(wanted, result.verdict, result)


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
