# SPDX-License-Identifier: Apache-2.0

import importlib
from importlib import metadata
import pkgutil
import subprocess
import sys

import fixtures
import testtools

from heat_extras import entry_points

DISTRIBUTION = 'heat-extras'

GROUPS = {
    'console_scripts', 'heat.stack_lifecycle_plugins',
    'paste.filter_factory', 'paste.composite_factory',
    'openstack.cli.stack_list', 'openstack.cli.stack_show',
    'openstack.orchestration.v1', 'oslo.config.opts', 'oslo.policy.policies'}

# A process in which one distribution is not installed, nor its module.
LIGHT = """\
from importlib import metadata
import sys

installed = metadata.version

def version(name):
    if name == {distribution!r}:
        raise metadata.PackageNotFoundError(name)
    return installed(name)

class Finder:
    def find_spec(name, *_rest):
        if name == {module!r}:
            raise ModuleNotFoundError(f'No module named {{name!r}}', name=name)

metadata.version = version
sys.meta_path.insert(0, Finder)
sys.argv[:] = {argv!r}
from heat_extras import entry_points
sys.exit(entry_points.{entrance}())
"""


class EntryPointsTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.entry_points = metadata.distribution(DISTRIBUTION).entry_points

    def test_every_entry_point_loads(self):
        broken = {}
        for entry_point in self.entry_points:
            try:
                loaded = entry_point.load()
            except Exception as error:
                broken[entry_point.value] = repr(error)
            else:
                self.assertTrue(callable(loaded), entry_point.value)
        self.assertEqual({}, broken)

    def test_functions_that_entry_points_call_exist(self):
        # Loading the entry points does not check this.
        functions = []
        self.useFixture(
            fixtures.MockPatchObject(entry_points, '_call', lambda where,
                                     *_rest: functions.append(where)))
        named = [entry_point.load() for entry_point in self.entry_points
                 if entry_point.module == entry_points.__name__]
        for enter in named:
            enter()
        self.assertEqual(6, len(named))
        self.assertEqual(6, len(set(functions)))
        for where in functions:
            self.assertTrue(callable(pkgutil.resolve_name(where)), where)

    def test_groups_of_heat_and_clients_are_declared(self):
        self.assertLessEqual(GROUPS, {entry_point.group
                                      for entry_point in self.entry_points})

    def test_entry_points_are_in_package(self):
        for entry_point in self.entry_points:
            self.assertTrue(entry_point.module.startswith('heat_extras.'),
                            entry_point.value)


class MissingDependencyTest(testtools.TestCase):

    def enter(self, entrance, *argv, module='heat',
              distribution='openstack-heat'):
        """Return the exit status and the one line of the error output."""
        done = subprocess.run(
            [sys.executable, '-c', LIGHT.format(
                module=module, distribution=distribution, entrance=entrance,
                argv=['it', *argv])],
            capture_output=True, text=True, timeout=300)
        self.assertEqual('', done.stdout)
        self.assertEqual(1, len(done.stderr.splitlines()), done.stderr)
        return done.returncode, done.stderr

    def test_manage_without_alembic_names_extra(self):
        status, output = self.enter('manage', 'db_sync', module='alembic',
                                    distribution='alembic')
        self.assertEqual(1, status)
        self.assertRegex(
            output,
            "^heat-extras-manage: ModuleNotFoundError: No module named "
            r"'alembic' .*. Install heat-extras\[engine\]\. If it ")

    def test_ctrl_c_during_import_exits_with_130(self):
        def interrupt(_name):
            raise KeyboardInterrupt
        self.patch(importlib, 'import_module', interrupt)
        self.assertEqual(130, self.assertRaises(
            SystemExit, entry_points.sandbox).code)

    def test_upgrade_check_without_heat_returns_255(self):
        status, output = self.enter('status', 'upgrade', 'check')
        self.assertEqual(255, status)
        self.assertIn('heat-extras-status: ModuleNotFoundError: ', output)

    def test_sandbox_without_heat_names_extra(self):
        for command in (('serve',), ('demo',), ()):
            status, output = self.enter('sandbox', *command)
            self.assertEqual(1, status)
            self.assertIn('openstack-heat', output)
            self.assertIn('. Install heat-extras[sandbox]. If it ', output)

    def test_policy_rules_without_heat_report_error(self):
        for entrance in ('list_rules_of_actions', 'list_rules_of_guards'):
            status, output = self.enter(entrance)
            self.assertEqual(1, status)
            self.assertIn('heat-extras: ModuleNotFoundError: ', output)

    def test_list_opts_without_oslo_config_reports_error(self):
        status, output = self.enter('list_opts', module='oslo_config',
                                    distribution='oslo.config')
        self.assertEqual(1, status)
        self.assertIn("'oslo_config'", output)

    def test_broken_installation_suggests_pip_check(self):
        status, output = self.enter('manage', module='mako', distribution=None)
        self.assertEqual(1, status)
        self.assertIn("ModuleNotFoundError: No module named 'mako' (", output)
        self.assertIn('pip check', output)


class ImportTest(testtools.TestCase):
    def test_import_loads_only_standard_library(self):
        done = subprocess.run(
            [sys.executable, '-c',
             'import sys; before = set(sys.modules); '
             'from heat_extras import entry_points; '
             'print({name.partition(".")[0] for name in sys.modules} '
             '- {name.partition(".")[0] for name in before} '
             '- set(sys.stdlib_module_names))'],
            capture_output=True, text=True)
        self.assertEqual("{'heat_extras'}\n", done.stdout, done.stderr)
