# SPDX-License-Identifier: Apache-2.0

"""The ways in, where an extra is not installed."""

import subprocess
import sys

import testtools

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
from heat_extras import entrances
sys.exit(entrances.{entrance}())
"""


class LightTest(testtools.TestCase):

    def enter(self, entrance, *argv, module='heat',
              distribution='openstack-heat'):
        """Return the exit status and the one line that is said."""
        done = subprocess.run(
            [sys.executable, '-c', LIGHT.format(
                module=module, distribution=distribution, entrance=entrance,
                argv=['it', *argv])],
            capture_output=True, text=True, timeout=300)
        self.assertEqual('', done.stdout)
        self.assertEqual(1, len(done.stderr.splitlines()), done.stderr)
        return done.returncode, done.stderr

    def test_the_database_is_not_there(self):
        self.assertEqual(
            (1, 'heat-extras-manage: found no alembic, wanted what the extra '
                'heat-extras[engine] brings, of which alembic is not '
                'installed here; install heat-extras[engine] in place of '
                'heat-extras\n'),
            self.enter('manage', 'db_sync', module='alembic',
                       distribution='alembic'))

    def test_the_check_could_not_check(self):
        status, said = self.enter('status', 'upgrade', 'check')
        self.assertEqual(255, status)
        self.assertIn('heat-extras-status: found no heat, wanted ', said)

    def test_a_sandbox_without_heat(self):
        for command in (('serve',), ('demo',), ()):
            status, said = self.enter('sandbox', *command)
            self.assertEqual(1, status)
            self.assertIn('heat-extras-sandbox: found no openstack-heat, '
                          'wanted what the extra heat-extras[sandbox] ', said)

    def test_a_sandbox_without_what_oslo_imports(self):
        status, said = self.enter('sandbox', 'serve', module='stevedore',
                                  distribution='stevedore')
        self.assertEqual(1, status)
        self.assertIn('heat-extras-sandbox: found no stevedore, wanted what '
                      'the extra heat-extras[sandbox] brings', said)

    def test_rules_without_heat(self):
        for entrance in ('list_rules_of_actions', 'list_rules_of_guards'):
            status, said = self.enter(entrance)
            self.assertEqual(1, status)
            self.assertIn('heat-extras: found no heat, wanted ', said)

    def test_options_without_their_library(self):
        status, said = self.enter('list_opts', module='oslo_config',
                                  distribution='oslo.config')
        self.assertEqual(1, status)
        self.assertIn('found no oslo_config, ', said)

    def test_a_broken_installation_is_called_that(self):
        status, said = self.enter('manage', module='mako', distribution=None)
        self.assertEqual(1, status)
        self.assertIn("ModuleNotFoundError: No module named 'mako' (", said)
        self.assertIn('pip check', said)


class ImportTest(testtools.TestCase):
    def test_nothing_but_the_standard_library(self):
        done = subprocess.run(
            [sys.executable, '-c',
             'import sys; before = set(sys.modules); '
             'from heat_extras import entrances; '
             'print({name.partition(".")[0] for name in sys.modules} '
             '- {name.partition(".")[0] for name in before} '
             '- set(sys.stdlib_module_names))'],
            capture_output=True, text=True)
        self.assertEqual("{'heat_extras'}\n", done.stdout, done.stderr)
