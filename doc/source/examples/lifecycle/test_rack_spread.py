# SPDX-License-Identifier: Apache-2.0

"""Tests of the example; they need no Heat that runs."""

import pathlib
import tempfile
import types
import unittest

import rack_spread


def stack(**groups):
    return types.SimpleNamespace(resources={
        name: types.SimpleNamespace(t=types.SimpleNamespace(
            metadata=lambda group=group: group and {'spread': group}))
        for name, group in groups.items()})


class RackSpreadTest(unittest.TestCase):

    def setUp(self):
        self.plugin = rack_spread.RackSpread()
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        racks = pathlib.Path(place.name, 'racks.txt')
        racks.write_text('r1\nr2\n')
        rack_spread.RACKS = str(racks)

    def test_a_group_that_fits(self):
        self.plugin.do_pre_op(None, stack(a='web', b='web', c='db', d=None),
                              None, 'CREATE')

    def test_a_group_that_does_not_fit_is_denied(self):
        with self.assertRaisesRegex(Exception, r'3 servers \(a, b, c\)'):
            self.plugin.do_pre_op(None, stack(a='web', b='web', c='web'),
                                  None, 'CREATE')

    def test_an_update_is_judged_by_its_result(self):
        with self.assertRaisesRegex(Exception, 'there are 2 racks'):
            self.plugin.do_pre_op(
                None, stack(), stack(a='web', b='web', c='web'), 'UPDATE')

    def test_other_actions_pass(self):
        self.plugin.do_pre_op(None, stack(a='web', b='web', c='web'), None,
                              'DELETE')


if __name__ == '__main__':
    unittest.main()
