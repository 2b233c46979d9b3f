# SPDX-License-Identifier: Apache-2.0

"""The packages that each extra installs in an empty environment.

The tests use the package index of tox, and the versions of the README.
"""

from importlib import metadata
import os
import pathlib
import sys

import fixtures
from packaging import utils
import testtools

from heat_extras.sandbox import clients
from tests.functional import base
from tests.harness import class_fixtures
from tests.harness import command
from tests.harness import heat_client
from tests.harness import wheel

SECONDS = 900
CONSTRAINTS = (pathlib.Path(__file__).parents[2] / 'constraints'
               / 'heat27.0.txt')

# Packages that the client must not install.
SERVER = {
    'alembic', 'google-re2', 'openstack-heat', 'oslo-config', 'oslo-db',
    'oslo-log', 'oslo-messaging', 'oslo-policy', 'oslo-service',
    'pastedeploy', 'python-manilaclient', 'sqlalchemy', 'webob'}
# Packages that no extra installs: database drivers and test runners.
OTHERS = {'psycopg2-binary', 'pymysql', 'stestr', 'testtools'}

# With reserve for new dependencies of libraries; measured: 46 and 62.
MOST_DISTRIBUTIONS = 60
MOST_MEGABYTES = 80

TEMPLATE = {
    'heat_template_version': '2021-04-16',
    'resources': {'word': {'type': 'OS::Heat::RandomString'}}}

# An example of the Python binding.
UNLOCK = """\
from heat_extras.client import managers
from heatclient import client
import sys
heat = client.Client('1', endpoint=sys.argv[1], token='demo:member')
managers.LockManager(heat).unlock(sys.argv[2])
"""


class Environment(fixtures.Fixture):
    """An empty Python environment."""

    def _setUp(self):
        self.place = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        command.check([sys.executable, '-m', 'venv', '--without-pip',
                       self.place])
        self._packages, = self.place.glob('lib/python*/site-packages')

    def pip(self, *words):
        """Run the pip of the tests on it."""
        command.check(
            [sys.executable, '-m', 'pip', '--disable-pip-version-check',
             '--python', self.place / 'bin' / 'python', *words],
            seconds=SECONDS)

    def install(self, *requirements):
        """Install distributions; return the names of all new ones."""
        before = self.distributions()
        # Byte code would take longer than the rest.
        self.pip('install', '--quiet', '--no-compile',
                 '--constraint', CONSTRAINTS, *requirements)
        return self.distributions() - before

    def distributions(self):
        """Return the names of the installed distributions."""
        return {utils.canonicalize_name(each.name) for each
                in metadata.distributions(path=[str(self._packages)])}

    def megabytes(self):
        """Return the size of the installed files."""
        return sum(path.stat().st_size for path in self._packages.rglob('*')
                   if path.is_file()) / 1e6

    def run(self, name, *words, **variables):
        """Run a command of the environment."""
        return command.run([self.place / 'bin' / name, *words],
                           os.environ | variables, seconds=SECONDS)


class Installed(class_fixtures.ClassFixtures):
    """Tests on an environment in which the wheel was installed."""

    extra = ''

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.wheel = cls.use_in_class(wheel.Wheel()).path
        cls.environment = cls.use_in_class(Environment())
        cls.came = cls.environment.install(f'{cls.wheel}{cls.extra}')
        cls.megabytes = cls.environment.megabytes()

    def run_inside(self, name, *words, status=0, **variables):
        """Run a command, and check its exit status; return its output."""
        done = self.environment.run(name, *words, **variables)
        self.assertEqual(status, done.returncode, done.stdout + done.stderr)
        return done.stdout if status == 0 else done.stderr


class ClientInstallationTest(Installed, base.TestCase):
    """The client without extras, with Heat from the test environment."""

    def openstack(self, *words, status=0):
        return self.run_inside(
            'openstack', *words, status=status,
            **clients.openstack_environment(self.sandbox.url, 'demo:member'))

    def test_client_is_installed_without_server_packages(self):
        self.assertEqual(set(), self.came & (SERVER | OTHERS))
        self.assertLessEqual(
            {'heat-extras', 'python-heatclient', 'osc-lib'}, self.came)
        self.assertLessEqual(len(self.came), MOST_DISTRIBUTIONS, self.came)
        self.assertLessEqual(self.megabytes, MOST_MEGABYTES)

    def test_shell_and_python_binding_work(self):
        stack = self.client.create_stack('shell', TEMPLATE)
        arguments = heat_client.shell_arguments(self.sandbox.url)
        self.assertIn(' locked ', self.run_inside(
            'heat-extras', *arguments, 'action-lock', '--level', 'stacks',
            'shell'))
        self.assertIn('is locked (level stacks)', self.run_inside(
            'heat-extras', *arguments, 'stack-delete', '-y', 'shell',
            status=1))
        self.assertEqual('', self.run_inside(
            'python', '-c', UNLOCK, self.sandbox.url,
            stack.removeprefix('/stacks/')))
        self.assertNotIn('shell', self.run_inside(
            'heat-extras', *arguments, 'lock-list'))

    def test_openstack_client_has_commands(self):
        self.environment.install('python-openstackclient')
        self.client.create_stack('web', TEMPLATE)
        self.assertEqual('LOCK_COMPLETE db move\n', self.openstack(
            'stack', 'lock', '--wait', '--reason', 'db move', 'web',
            '-f', 'value', '-c', 'Lock Status', '-c', 'Lock Reason'))
        self.assertIn('is locked (level all) by demo', self.openstack(
            'stack', 'delete', '--yes', 'web', status=1))
        self.assertIn('lock', self.openstack(
            'stack', 'guard', 'list', 'web', '-f', 'value', '-c', 'Kind'))
        self.assertIn('unlocked', self.openstack(
            'stack', 'unlock', 'web', '-f', 'value', '-c', 'Result'))

    def test_error_of_missing_module_names_extra(self):
        for words, extra, status in (
                (('heat-extras-manage', 'list-locks'), 'engine', 1),
                (('heat-extras-status', 'upgrade', 'check'), 'engine', 255),
                (('heat-extras-sandbox',), 'sandbox', 1),
                (('heat-extras-sandbox', 'demo'), 'sandbox', 1)):
            line, = self.run_inside(*words, status=status).splitlines()
            self.assertTrue(line.startswith(f'{words[0]}: '), line)
            self.assertRegex(line, 'No (module named|package metadata)')
            self.assertIn(f'Install heat-extras[{extra}]', line)


class SandboxInstallationTest(Installed, testtools.TestCase):
    """The extra ``sandbox``, which installs all packages in SERVER."""

    extra = '[sandbox]'

    def test_heat_and_openstack_client_are_installed(self):
        self.assertLessEqual({*SERVER, 'python-openstackclient'}, self.came)
        self.assertEqual(set(), self.came & OTHERS)

    def test_demo_runs(self):
        self.assertIn('steps had the expected result', self.run_inside(
            'heat-extras-sandbox', 'demo', '--only', 'lifecycle'))

    def test_extra_engine_adds_missing_packages_to_heat(self):
        own = {'google-re2', 'heat-extras'}
        self.environment.pip('uninstall', '--quiet', '--yes', *own)
        self.assertEqual(own, self.environment.install(
            f'{self.wheel}[engine]'))
        # The status is 1, because without heat.conf there are warnings.
        checked = self.environment.run(
            'heat-extras-status', 'upgrade', 'check', '--no-db')
        self.assertEqual(1, checked.returncode, checked.stderr)
        self.assertIn('Result: Success', checked.stdout)
        self.assertNotIn('Result: Failure', checked.stdout)
