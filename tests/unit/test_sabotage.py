# SPDX-License-Identifier: Apache-2.0

"""What takes guards away, so that tests are known to see, finds them.

A module that has got another name since would be left as it is, in silence.
"""

import importlib
import pathlib
import runpy
import sys
from unittest import mock

import testscenarios
import testtools

_TESTS = pathlib.Path(__file__).parents[1]


class SabotageTest(testscenarios.WithScenarios, testtools.TestCase):
    scenarios = [
        ('windows', {'path': 'exhaustive/windows', 'acts': '_ACTS'}),
        ('storm', {'path': 'storm/sabotage', 'acts': '_SABOTAGE'})]

    def test_every_module_is_there(self):
        with mock.patch.object(sys, 'meta_path', list(sys.meta_path)):
            found = runpy.run_path(
                str(_TESTS / self.path / 'sitecustomize.py'))[self.acts]
        self.assertGreater(len(found), 4)
        for name in found:
            importlib.import_module(name)
