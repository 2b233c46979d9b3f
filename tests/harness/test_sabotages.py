# SPDX-License-Identifier: Apache-2.0

"""What tests break in other processes exists under its name."""

import importlib
import pathlib
import runpy
import types
from unittest import mock

import testtools

_TESTS = pathlib.Path(__file__).parents[1]


class SabotageTest(testtools.TestCase):

    def act(self, name, act):
        # On a copy: other tests need the module as it is.
        act(types.SimpleNamespace(**vars(importlib.import_module(name))))

    def test_faults(self):
        with mock.patch.dict('os.environ', HEAT_EXTRAS_BROKEN='/nowhere'), \
                mock.patch('sys.meta_path', []):
            broken = runpy.run_path(
                str(_TESTS / 'fault_injection' / 'slow' / 'broken.py'))
        for name, acts in broken['_acts'].items():
            self.act(name, broken['_all_of'](acts))

    def test_fuzz(self):
        sabotage = runpy.run_path(
            str(_TESTS / 'fuzz' / 'sabotage' / 'sitecustomize.py'))
        for name in 'error', 'trace', 'late':
            module, act = sabotage[name]()
            self.act(sabotage['_LOCK'] + module, act)
