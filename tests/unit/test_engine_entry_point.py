# SPDX-License-Identifier: Apache-2.0

"""Heat swallows every exception of a plugin but SystemExit."""

import ast
import importlib.util
import logging
import sys
from unittest import mock

import fixtures
import testtools

from heat_extras import activation
from heat_extras import engine_entry_point
from heat_extras import errors


class Unspeakable(Exception):
    def __str__(self):
        raise ValueError('no text')


def load():
    """Execute the module afresh, beside the one that is loaded."""
    spec = importlib.util.spec_from_file_location(
        'engine_plugin_again', engine_entry_point.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class ImportsTest(testtools.TestCase):
    def test_nothing_but_the_standard_library_at_module_level(self):
        # Only what stands inside of functions can be caught there.
        with open(engine_entry_point.__file__) as source:
            tree = ast.parse(source.read())
        names = set()
        for node in tree.body:
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            self.assertNotIsInstance(node, ast.ImportFrom)
        self.assertEqual(set(), names - sys.stdlib_module_names)

    def test_no_other_statement_at_module_level_can_fail(self):
        with open(engine_entry_point.__file__) as source:
            tree = ast.parse(source.read())
        kinds = [type(node) for node in tree.body
                 if not isinstance(node, (ast.Import, ast.FunctionDef,
                                          ast.ClassDef))]
        # The docstring, and the call of _activate().
        self.assertEqual([ast.Expr, ast.Expr], kinds)


class EnginePluginTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.activate = self.useFixture(fixtures.MockPatchObject(
            activation, 'activate')).mock

    def ends_with(self, error):
        self.activate.side_effect = error
        ended = self.assertRaises(SystemExit, load)
        self.assertIsInstance(ended.code, str)
        self.assertEqual(1, len(ended.code.splitlines()))
        self.assertTrue(ended.code.startswith(
            'heat-extras: heat-engine is not started: '), ended.code)
        self.assertIs(ended.__cause__, error)
        return ended.code.partition(' is not started: ')[2]

    def test_activates_the_features_of_the_engine(self):
        plugin = load().EnginePlugin()
        self.activate.assert_called_once_with(mock.ANY, activation.ENGINE)
        self.assertEqual(0, plugin.get_ordinal())

    def test_has_no_operations(self):
        plugin = engine_entry_point.EnginePlugin
        self.assertFalse(hasattr(plugin, 'do_pre_op'))
        self.assertFalse(hasattr(plugin, 'do_post_op'))

    def test_an_error_of_ours_says_all_itself(self):
        self.assertEqual('found no such thing', self.ends_with(
            errors.PatchError('found no such thing')))

    def test_another_error_is_named_and_located(self):
        self.assertRegex(self.ends_with(KeyError('what')),
                         r"^KeyError: 'what' \(.*mock.py:\d+\)$")

    def test_an_extra_that_is_not_installed(self):
        self.assertRegex(
            self.ends_with(ModuleNotFoundError('why', name='tenacity')),
            r'^ModuleNotFoundError: why .*. Install heat-extras\[engine\]\. '
            'If it ')

    def test_an_error_of_several_lines_makes_one(self):
        self.assertIn('one two', self.ends_with(ValueError('one\n  two')))

    def test_an_error_without_a_text(self):
        self.assertIn('RuntimeError: no further details',
                      self.ends_with(RuntimeError()))

    def test_what_is_no_ordinary_exception(self):
        self.ends_with(KeyboardInterrupt())
        self.ends_with(SystemExit(0))

    def test_an_error_that_cannot_be_described(self):
        self.assertEqual('', self.ends_with(Unspeakable()))

    def test_says_it_in_the_log_too(self):
        log = self.useFixture(fixtures.FakeLogger(level=logging.CRITICAL))
        self.ends_with(errors.ActivationError('why'))
        self.assertEqual('heat-extras: heat-engine is not started: why\n',
                         log.output)
