# SPDX-License-Identifier: Apache-2.0

import importlib
import pathlib
import re
import unittest

import testtools

from tests import durations
from tests.harness import suites

_TESTS = pathlib.Path(__file__).parents[1]


class SuitesTest(testtools.TestCase):

    def test_each_yields_tests_of_nested_suites(self):
        first, two, three = map(unittest.FunctionTestCase, (id, len, all))
        nested = unittest.TestSuite([first, unittest.TestSuite([
            unittest.TestSuite([two]), three])])
        self.assertEqual([first, two, three], list(suites.each(nested)))

    def test_merged_settings_do_not_depend_on_order(self):
        first = suites.merged('[a]\nx = 1\n[b]\ny = 2\n', '[a]\nx = 3\n')
        self.assertEqual('[a]\nx = 3\n[b]\ny = 2\n', first)
        self.assertEqual(first, suites.merged('[b]\ny = 2\n[a]\nx=3\n', None))

    def test_classes_in_durations_exist(self):
        for package, classes in durations.SECONDS.items():
            for name in sorted({*classes} - {'ALL'}):
                module, _, kind = f'tests.{package}.{name}'.rpartition('.')
                loaded = importlib.import_module(module)
                self.assertTrue(issubclass(getattr(loaded, kind),
                                           testtools.TestCase), name)

    def test_regular_expressions_of_nightly_jobs_match(self):
        names = [test.id() for test in suites.each(
            unittest.TestLoader().discover(
                str(_TESTS), top_level_dir=str(_TESTS.parent)))]
        for file in _TESTS.glob('nightly*.txt'):
            for line in file.read_text().splitlines():
                if line and not line.startswith('#'):
                    self.assertTrue(any(re.search(line, name)
                                        for name in names), line)
