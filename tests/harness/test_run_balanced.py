# SPDX-License-Identifier: Apache-2.0

"""Distribution of tests to workers by ``tools/run_balanced.py``."""

import importlib.util
import pathlib
import unittest

import testtools

from tests.harness import suites

_TOOL = pathlib.Path(
    __file__).resolve().parents[2] / 'tools' / 'run_balanced.py'


def _loaded():
    spec = importlib.util.spec_from_file_location('run_balanced', _TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class ShareOutTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.tool = _loaded()

    def test_classes_of_a_group_stay_together(self):
        self.assertEqual(
            [['c', 'd'], ['a', 'b']],
            sorted(self.tool.share(
                [{'a': 3, 'b': 2}, {'c': 4, 'd': 1}], 2), reverse=True))

    def test_group_that_is_too_large_is_split(self):
        self.assertEqual(
            [['a', 'd', 'e'], ['b', 'c']],
            sorted(map(sorted, self.tool.share(
                [{'a': 5, 'b': 4, 'c': 2, 'd': 1}, {'e': 1}], 2))))

    def test_regular_expression_after_options_is_parsed(self):
        known, more = self.tool.parsed([
            '2', '--exclude-regex', 'Legacy', '^tests[.]', '--failing'])
        self.assertEqual((2, 'Legacy', ['^tests[.]'], ['--failing']), (
            known.workers, known.exclude_regex, known.regexes, more))

    def test_each_class_is_assigned_to_one_worker(self):
        tests = list(suites.each(
            unittest.defaultTestLoader.loadTestsFromName(__name__)))
        self.assertEqual(
            [[f'{__name__}.ShareOutTest']],
            self.tool.share(self.tool.grouped(tests), 3))
