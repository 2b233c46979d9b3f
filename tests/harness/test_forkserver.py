# SPDX-License-Identifier: Apache-2.0

import os
import pathlib
import socket
import subprocess
import textwrap

import fixtures
import testtools

from heat_extras.sandbox import process
from tests.harness import command
from tests.harness import forkserver

SECONDS = 60


class ForkServerTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.place = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.errors = self.enterContext(open(self.place / 'errors', 'w+b'))

    def make(self, *options):
        made = forkserver.Process(options=options, errors=self.errors)
        self.addCleanup(made.kill)
        return made

    def test_start_and_stop(self):
        sandbox = self.make()
        self.assertStartsWith(sandbox.start(), 'http://127.0.0.1:')
        self.assertEqual(os.getsid(0), os.getsid(sandbox.pid))
        self.assertEqual(0, sandbox.stop())
        self.assertRaises(ProcessLookupError, os.kill, sandbox.pid, 0)

    def assertStartsWith(self, text, start):
        self.assertTrue(text.startswith(start), text)

    def test_process_is_killed_after_timeout(self):
        sandbox = self.make()
        sandbox.start()
        # This kills the process, as for a process that is not forked.
        self.assertRaises(subprocess.TimeoutExpired, sandbox.wait, 0.1)
        self.assertRaises(ProcessLookupError, os.kill, sandbox.pid, 0)

    def test_status_of_killed_process_is_returned(self):
        sandbox = self.make()
        sandbox.start()
        os.kill(sandbox.pid, 9)
        self.assertEqual(-9, sandbox.wait(SECONDS))

    def test_error_if_process_does_not_start(self):
        sandbox = self.make('--features', 'gates')
        error = self.assertRaises(process.NotReady, sandbox.start)
        self.assertIn('ended with status 1', str(error))
        self.errors.seek(0)
        self.assertIn(b'gates', self.errors.read())

    def test_process_has_environment_of_test(self):
        plugins = self.place / 'plugins'
        plugins.mkdir()
        (plugins / 'told.py').write_text(textwrap.dedent("""
            import os
            print(os.environ['HEAT_EXTRAS_VARIABLE'], file=open(
                os.path.join(os.path.dirname(__file__), 'said'), 'w'))
            """))
        (self.place / 'conf').write_text(
            f'[DEFAULT]\nplugin_dirs = {plugins}\n')
        self.useFixture(fixtures.EnvironmentVariable(
            'HEAT_EXTRAS_VARIABLE', 'something'))
        self.make('--config-file', str(self.place / 'conf')).start()
        self.assertEqual('something\n', (plugins / 'said').read_text())

    def test_sitecustomize_is_imported(self):
        (self.place / 'sitecustomize.py').write_text(
            'import sys; sys.exit("not today")')
        self.useFixture(fixtures.EnvironmentVariable(
            'PYTHONPATH', str(self.place)))
        self.assertRaises(process.NotReady, self.make().start)
        self.errors.seek(0)
        self.assertIn(b'not today', self.errors.read())


class CommandTest(testtools.TestCase):
    """Forked commands, compared with separate processes."""

    def run_both(self, name, *words, **environment):
        words = [command.program(name), *words]
        environment = {**os.environ, **environment}
        forked = forkserver.run(words, environment, None, SECONDS)
        alone = subprocess.run(words, env=environment, text=True,
                               capture_output=True, timeout=SECONDS)
        return [(done.returncode, done.stdout, done.stderr)
                for done in (forked, alone)]

    def test_output_and_status_equal_those_of_subprocess(self):
        for name, *words in (
                ('heat-extras-manage', '--version'),
                ('heat-extras-manage', 'nonsense'),
                ('heat-extras-manage', '--config-file', '/none', 'purge'),
                ('openstack', 'help', 'stack', 'lock'),
                ('openstack', 'stack', 'lock', '--level', 'most', 'web')):
            forked, alone = self.run_both(name, *words, COLUMNS='80')
            self.assertEqual(alone, forked, words)

    def test_process_is_killed_after_timeout(self):
        server = self.enterContext(socket.create_server(('127.0.0.1', 0)))
        words = [command.program('openstack'), '--os-auth-type', 'none',
                 '--os-endpoint', 'http://127.0.0.1:%d' %
                 server.getsockname()[1], 'stack', 'list']
        error = self.assertRaises(
            command.Failed, command.run, words, seconds=5)
        self.assertIn('stack list was not over within 5 seconds', str(error))

    def test_other_python_settings_and_programs_are_not_forked(self):
        words = [command.program('openstack'), '--version']
        for variables in ({'LC_ALL': 'C.ISO-8859-1'},
                          {'PYTHONPATH': '/elsewhere'}):
            self.assertIsNone(forkserver.run(
                words, {**os.environ, **variables}, None, SECONDS))
        self.assertIsNone(forkserver.run(
            ['/elsewhere/openstack'], None, None, SECONDS))
        self.assertIsNone(forkserver.run(
            [command.program('python'), '-V'], None, None, SECONDS))

    def test_programs_in_path_are_forked(self):
        programs = self.useFixture(forkserver.Programs(os.environ))
        for words in (['openstack', 'stack', 'lock', '--level', 'most', 'web'],
                      ['heat-extras-manage', '--version']):
            forked, alone = [subprocess.run(
                [os.path.join(place, words[0]), *words[1:]], text=True,
                capture_output=True, timeout=SECONDS, cwd='/',
                env={**os.environ, 'COLUMNS': '80'})
                for place in (programs.path, command.BIN)]
            self.assertEqual(
                (alone.returncode, alone.stdout, alone.stderr),
                (forked.returncode, forked.stdout, forked.stderr))
