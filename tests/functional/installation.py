# SPDX-License-Identifier: Apache-2.0

"""Heat as an operator installs it: heat.conf, a database, and daemons."""

import os
import pathlib
import socket
import subprocess
import sys
import time

import fixtures
import requests
from testtools import content

ROOT = pathlib.Path(__file__).parents[2]
SABOTAGE = pathlib.Path(__file__).parent / 'sabotage'
BIN = pathlib.Path(sys.executable).parent
HEAT_ETC = pathlib.Path(sys.prefix) / 'etc' / 'heat'
PASTE = 'heat-extras-paste.ini'

IN_FORCE = 'heat-extras: stack_lock in force in this '
END_SECONDS = 120

_HEAT_CONF = """\
[DEFAULT]
transport_url = fake:///
auth_encryption_key = functionaltests-functionaltests-
environment_dir = {etc}/environment.d
template_dir = {etc}/templates
num_engine_workers = 1
log_file = {log}
# Heat tells about each of some 300 resource types at every start.
default_log_levels = heat.engine.environment=ERROR

[database]
connection = {connection}
max_retries = 0

[oslo_policy]
policy_file = {policy}

[paste_deploy]
flavor = {flavor}
api_paste_config = {paste}

[heat_extras]
features = {features}
"""


class Installation(fixtures.Fixture):
    """A directory with what the daemons of one host need.

    :ivar directory: where heat.conf is.
    :ivar log: path of the log of all daemons.
    """

    def _setUp(self):
        self.directory = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path)
        self.log = self.directory / 'heat.log'
        self.database = f'sqlite:///{self.directory}/heat.sqlite'
        self.addDetail('heat.log', content.Content(
            content.text_content('').content_type,
            lambda: [self.log_text().encode()]))

    def configure(self, **settings):
        """Write heat.conf.

        :param settings: over the defaults: ``features``, ``connection``,
            ``paste``, ``flavor``, ``log``.
        """
        values = {'etc': HEAT_ETC, 'log': self.log, 'flavor': 'noauth',
                  'connection': self.database, 'paste': 'api-paste.ini',
                  'policy': self.directory / 'policy.yaml',
                  'features': 'stack_lock'} | settings
        (self.directory / 'heat.conf').write_text(
            _HEAT_CONF.format(**values))
        # Heat's noauth filter knows the role admin and no other.
        (self.directory / 'policy.yaml').write_text(
            '"actions:lock": "role:admin"\n')

    def run(self, command, *words):
        """Run a command to its end, and insist on its success."""
        done = subprocess.run(
            [BIN / command, '--config-file', self.directory / 'heat.conf',
             *words], capture_output=True, text=True, timeout=END_SECONDS)
        if done.returncode:
            raise AssertionError(f'{command} {words}: {done.stderr}')

    def prepare_database(self, extended=True):
        """Do what an operator does, with or without our own db_sync."""
        self.run('heat-manage', 'db_sync')
        if extended:
            self.run('heat-extras-manage', 'db_sync')

    def start(self, *command, sabotage=None):
        """Start a daemon.

        :param sabotage: the name of a function of sabotage/sitecustomize.py.
        :returns: a :class:`Daemon`.
        """
        return self.useFixture(Daemon(
            [str(BIN / command[0]), *map(str, command[1:])],
            self.directory, sabotage))

    def start_engine(self, sabotage=None):
        return self.start('heat-engine', '--config-file',
                          self.directory / 'heat.conf', sabotage=sabotage)

    def log_text(self):
        return self.log.read_text() if self.log.exists() else ''


class Daemon(fixtures.Fixture):
    """A process that is ended with the test at the latest.

    :ivar errors: path of what it writes to its standard error.
    """

    def __init__(self, command, directory, sabotage):
        super().__init__()
        self._command = command
        self._directory = directory
        self._sabotage = sabotage

    def _setUp(self):
        self.errors = self._directory / 'errors'
        environment = dict(os.environ)
        # Not what the tests themselves run under, like coverage.
        environment.pop('PYTHONPATH', None)
        if self._sabotage:
            environment['PYTHONPATH'] = str(SABOTAGE)
            environment['HEAT_EXTRAS_SABOTAGE'] = self._sabotage
        with open(self.errors, 'w') as errors:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=errors,
                stderr=errors, env=environment, cwd=self._directory)
        self.addCleanup(self._end)
        self.addDetail('standard error', content.Content(
            content.text_content('').content_type,
            lambda: [self.error_text().encode()]))

    def _end(self):
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def error_text(self):
        return self.errors.read_text()

    def is_running(self):
        return self._process.poll() is None

    def wait(self):
        """Wait until it ends by itself, and return its status."""
        return self._process.wait(END_SECONDS)

    def wait_until(self, is_true):
        """Wait for something as long as the process runs.

        :raises AssertionError: when the process ends or time is over.
        """
        deadline = time.monotonic() + END_SECONDS
        while not is_true():
            if not self.is_running() or time.monotonic() > deadline:
                raise AssertionError(
                    f'{self._command}: status {self._process.poll()}, '
                    f'{self.error_text()}')
            time.sleep(0.1)


class Api:
    """Heat's own WSGI script on a free port.

    :param script: ``heat-wsgi-api`` or ``heat-wsgi-api-cfn``.
    """

    def __init__(self, installation, script='heat-wsgi-api', sabotage=None):
        self.url = f'http://127.0.0.1:{free_port()}'
        self.daemon = installation.start(
            script, '--host', '127.0.0.1', '--port',
            self.url.rpartition(':')[2], '--', '--config-file',
            installation.directory / 'heat.conf', sabotage=sabotage)

    def wait_until_up(self):
        self.daemon.wait_until(self._answers)

    def _answers(self):
        try:
            return bool(requests.get(self.url + '/', timeout=30).text)
        except requests.ConnectionError:
            return False

    def get(self, path):
        """Return the status of the answer to a GET."""
        return requests.get(self.url + path, timeout=60).status_code

    def act(self, body):
        """Send the body of an action on some stack; returns the response."""
        return requests.post(
            self.url + '/v1/admin/stacks/web/'
            '11111111-2222-3333-4444-555555555555/actions',
            json=body, timeout=60)


def free_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def shipped_paste():
    """Find the paste file where a wheel installs it, or in the checkout."""
    installed = HEAT_ETC / PASTE
    return installed if installed.exists() else ROOT / 'etc/heat' / PASTE
