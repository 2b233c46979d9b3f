# SPDX-License-Identifier: Apache-2.0

"""The names that tests patch in other processes exist."""

import importlib
import pathlib
import runpy
import types
from unittest import mock

import fixtures
import testtools

from heat_extras.db import transactions

_TESTS = pathlib.Path(__file__).parents[1]


class ProcessFaultsTest(testtools.TestCase):

    def act(self, name, act):
        # On a copy, because other tests need the unchanged module.
        act(types.SimpleNamespace(**vars(importlib.import_module(name))))

    def test_patched_names_of_fault_injection_exist(self):
        with mock.patch.dict('os.environ', HEAT_EXTRAS_BROKEN='/nowhere'), \
                mock.patch('sys.meta_path', []):
            broken = runpy.run_path(
                str(_TESTS / 'fault_injection' / 'slow' / 'broken.py'))
        for name, acts in broken['_acts'].items():
            self.act(name, broken['_all_of'](acts))

    def test_patched_names_of_fuzz_tests_exist(self):
        fault = runpy.run_path(
            str(_TESTS / 'fuzz' / 'process_faults' / 'sitecustomize.py'))
        # One of them changes a module in place.
        self.useFixture(fixtures.MockPatchObject(
            transactions, 'start', transactions.start))
        for name in 'error', 'trace', 'late':
            module, act = fault[name]()
            self.act(fault['PACKAGE'] + module, act)

    def test_patched_names_of_plan_faults_exist(self):
        fault = runpy.run_path(str(
            _TESTS / 'exhaustive' / 'plan_faults' / 'sitecustomize.py'))
        for kind in fault['KINDS']:
            module, act = kind()
            name = fault['PACKAGE'] + module
            kept = dict(vars(importlib.import_module(name)))
            # Methods of classes are changed in place.
            classes = {each: dict(vars(each)) for each in kept.values()
                       if isinstance(each, type)}
            self.act(name, act)
            for each, before in classes.items():
                for key, value in before.items():
                    if vars(each)[key] is not value:
                        setattr(each, key, value)
