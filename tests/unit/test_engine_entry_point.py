# SPDX-License-Identifier: Apache-2.0

"""Heat ignores every exception of a plugin except SystemExit."""

import ast
import importlib.util
import logging
import sys
from unittest import mock

import fixtures
import testtools

from heat_extras import activation
from heat_extras import engine_entry_point
from heat_extras import operator_errors


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
    def test_module_imports_only_standard_library(self):
        # Only errors inside of functions can be caught.
        with open(engine_entry_point.__file__) as source:
            tree = ast.parse(source.read())
        names = set()
        for node in tree.body:
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            self.assertNotIsInstance(node, ast.ImportFrom)
        self.assertEqual(set(), names - sys.stdlib_module_names)

    def test_module_level_runs_only_activation(self):
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

    def test_import_activates_engine_features(self):
        plugin = load().EnginePlugin()
        self.activate.assert_called_once_with(mock.ANY, activation.ENGINE)
        self.assertEqual(0, plugin.get_ordinal())

    def test_plugin_has_no_lifecycle_methods(self):
        plugin = engine_entry_point.EnginePlugin
        self.assertFalse(hasattr(plugin, 'do_pre_op'))
        self.assertFalse(hasattr(plugin, 'do_post_op'))

    def test_heat_extras_error_is_shown_as_is(self):
        self.assertEqual('found no such thing', self.ends_with(
            operator_errors.PatchError('found no such thing')))

    def test_other_error_is_shown_with_type_and_location(self):
        self.assertRegex(self.ends_with(KeyError('what')),
                         r"^KeyError: 'what' \(.*mock.py:\d+\)$")

    def test_missing_module_error_names_extra(self):
        self.assertRegex(
            self.ends_with(ModuleNotFoundError('why', name='tenacity')),
            r'^ModuleNotFoundError: why .*. Install heat-extras\[engine\]\. '
            'If it ')

    def test_multiline_error_is_shown_on_one_line(self):
        self.assertIn('one two', self.ends_with(ValueError('one\n  two')))

    def test_error_without_text_is_shown_with_type(self):
        self.assertIn('RuntimeError: no further details',
                      self.ends_with(RuntimeError()))

    def test_base_exceptions_stop_engine(self):
        self.ends_with(KeyboardInterrupt())
        self.ends_with(SystemExit(0))

    def test_error_with_failing_str_stops_engine(self):
        self.assertEqual('', self.ends_with(Unspeakable()))

    def test_error_is_logged_as_critical(self):
        log = self.useFixture(fixtures.FakeLogger(level=logging.CRITICAL))
        self.ends_with(operator_errors.ActivationError('why'))
        self.assertEqual('heat-extras: heat-engine is not started: why\n',
                         log.output)
