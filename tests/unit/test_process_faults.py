# SPDX-License-Identifier: Apache-2.0

"""The fault injectors find the modules whose guards they disable.

Otherwise, a renamed module would stay guarded without an error.
"""

import importlib
import os
import pathlib
import runpy
import sys
from unittest import mock

import testscenarios
import testtools

_TESTS = pathlib.Path(__file__).parents[1]


class ProcessFaultsTest(testscenarios.WithScenarios, testtools.TestCase):
    scenarios = [
        ('windows', {'path': 'exhaustive/race_windows'}),
        ('stress', {'path': 'stress/process_faults'})]

    def test_every_patched_module_exists(self):
        with (mock.patch.object(sys, 'meta_path', list(sys.meta_path)),
              mock.patch.dict(os.environ, HEAT_EXTRAS_WITHOUT_FENCE='1',
                              HEAT_EXTRAS_SCALING_STUCK='1')):
            _ACTS = runpy.run_path(
                str(_TESTS / self.path / 'sitecustomize.py'))['_ACTS']
        self.assertGreater(len(_ACTS), 4)
        for name in _ACTS:
            importlib.import_module(name)
