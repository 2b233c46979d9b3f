# SPDX-License-Identifier: Apache-2.0

"""Files, tests, commands and metrics that the documentation names exist."""

import argparse
import ast
import configparser
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

import testtools

from heat_extras.cmd import manage

ROOT = pathlib.Path(__file__).parents[2]
SOURCE = ROOT / 'doc' / 'source'
PAGES = sorted(SOURCE.rglob('*.rst'))
OTHER_PAGES = [ROOT / name for name in (
    'README.rst', 'CONTRIBUTING.rst', 'HACKING.rst', 'tests/README.rst')]

# The steps of an uninstallation, in order: see tests.removal.test_steps.
REMOVAL = ('list-locks', 'restart the engines', '``api_paste_config``',
           'rewrite-templates``', 'db_downgrade``',
           '``pip uninstall heat-extras``')

_TEST = re.compile(r'``(tests(?:\.\w+)+)``')


def named_tests():
    """List the tests that pages name, as pairs of page and name."""
    return [(path.name, name) for path in (*PAGES, *OTHER_PAGES)
            for name in _TEST.findall(path.read_text())]


def has_test(name):
    """Return whether there is such a module, class or method."""
    words = name.split('.')
    for count in range(len(words), 0, -1):
        path = ROOT.joinpath(*words[:count]).with_suffix('.py')
        if path.is_file():
            return _defines(ast.parse(path.read_text()), words[count:])
    return ROOT.joinpath(*words).is_dir()


def removal(name):
    """Return the part of a page with the steps of an uninstallation."""
    return (ROOT / name).read_text().rpartition('To uninstall:')[2]


def metrics():
    """List the names of the metrics, without their prefix."""
    code = (ROOT / 'heat_extras' / 'cmd' / 'metrics.py').read_text()
    return set(re.findall(r"_print_metric\(\s*'(\w+)'", code)
               + re.findall(r"'(\w+_total)'", code))


def _defines(node, words):
    if not words:
        return True
    return any(_defines(child, words[1:]) for child in node.body
               if getattr(child, 'name', None) == words[0])


class DocumentationTest(testtools.TestCase):

    def test_readme_links_to_existing_files(self):
        text = (ROOT / 'README.rst').read_text()
        named = re.findall(r'<([\w/.-]+)>`__|image:: (\S+)', text)
        self.assertNotEqual([], named)
        self.assertEqual([], [path for path in map(''.join, named)
                              if not (ROOT / path).is_file()])

    def test_named_tests_exist(self):
        names = named_tests()
        self.assertNotEqual([], names)
        self.assertEqual(
            [], [pair for pair in names if not has_test(pair[1])])

    def test_missing_test_is_detected(self):
        self.assertTrue(has_test(self.id()))
        self.assertFalse(has_test(self.id() + '_else'))
        self.assertFalse(has_test('tests.unit.test_nothing'))

    def test_uninstall_steps_are_in_same_order(self):
        for name in ('README.rst', 'doc/source/install/uninstall.rst'):
            steps = re.findall(r'(?ms)^(\d)\. (.*?)(?=^\d\. |^\S|\Z)',
                               removal(name))
            self.assertEqual(len(REMOVAL), len(steps), name)
            for (_number, text), wanted in zip(steps, REMOVAL, strict=True):
                self.assertIn(wanted, text, name)

    def test_every_page_is_in_index(self):
        index = (SOURCE / 'index.rst').read_text().split()
        names = [str(path.relative_to(SOURCE).with_suffix(''))
                 for path in PAGES]
        self.assertEqual([], sorted({*names} - {*index, 'index'}))


class CommandPagesTest(testtools.TestCase):
    """Every command and metric is on its page.

    Sphinx generates the pages of options and policy rules.
    """

    def test_openstack_commands_are_documented(self):
        setup = configparser.ConfigParser()
        setup.read(ROOT / 'setup.cfg')
        points = setup['options.entry_points']['openstack.orchestration.v1']
        commands = [line.partition('=')[0].strip().replace('_', ' ')
                    for line in points.strip().splitlines()]
        page = (SOURCE / 'cli' / 'openstack.rst').read_text()
        patterns = re.findall(r':command: (.+)', page)
        self.assertEqual([], [name for name in commands if not any(
            fnmatch.fnmatch(name, pattern) for pattern in patterns)])

    def test_operator_commands_are_documented(self):
        commands = argparse.ArgumentParser().add_subparsers()
        manage._add_command_parsers(commands)
        self.assertIn('db_sync', commands.choices)
        page = (SOURCE / 'cli' / 'heat-extras-manage.rst').read_text()
        headings = set(re.findall(r'^``([\w-]+)', page, re.MULTILINE))
        self.assertEqual(set(), {
            name for name in commands.choices if name not in headings})

    def test_metrics_are_documented(self):
        names = metrics()
        self.assertLessEqual({'locked_stacks', 'plugin_errors_total'}, names)
        page = (SOURCE / 'admin' / 'monitoring.rst').read_text()
        self.assertEqual([], [name for name in sorted(names)
                              if f'``heat_extras_{name}' not in page])


class ApiRequestsTest(testtools.TestCase):
    """The generated page has all of the description of the API."""

    def setUp(self):
        super().setUp()
        self.page = subprocess.run(
            [sys.executable, ROOT / 'tools' / 'api_requests.py'], check=True,
            capture_output=True, text=True).stdout
        self.document = json.loads(
            (ROOT / 'heat_extras' / 'openapi.json').read_text())

    def assert_on_page(self, names):
        self.assertNotEqual([], names)
        self.assertEqual([], [name for name in names
                              if f'``{name}``' not in self.page])

    def test_every_request_is_listed(self):
        self.assert_on_page([
            f'{method.upper()} {path.removeprefix("/v1/{tenant_id}")}'
            for path, methods in self.document['paths'].items()
            for method in methods])

    def test_every_object_and_error_is_listed(self):
        schemas = self.document['components']['schemas']
        self.assert_on_page([
            *(name for name in schemas if name != 'Fault'),
            *schemas['Fault']['x-heat-extras-faults']])
