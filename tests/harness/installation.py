# SPDX-License-Identifier: Apache-2.0

"""Heat like an operator's installation: heat.conf, database, daemons."""

import pathlib
import sys

import fixtures

from tests.harness import command
from tests.harness import fault_injector
from tests.harness import http_client
from tests.harness import logs
from tests.harness import ports
from tests.harness import process

ROOT = pathlib.Path(__file__).parents[2]
HEAT_ETC = pathlib.Path(sys.prefix) / 'etc' / 'heat'
PASTE = 'heat-extras-paste.ini'

IN_FORCE = 'heat-extras: features enabled in this %s: stack_lock ('

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
    """A directory with the files of the daemons of one host.

    :ivar directory: where heat.conf is.
    :ivar log: path of the log of all daemons.
    """

    def _setUp(self):
        self.directory = pathlib.Path(
            self.useFixture(fixtures.TempDir()).path)
        self.log = self.directory / 'heat.log'
        self.database = f'sqlite:///{self.directory}/heat.sqlite'
        self.addDetail('heat.log', logs.file_content(self.log))

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
        # Heat's noauth filter knows only the role admin.
        (self.directory / 'policy.yaml').write_text(
            '"actions:lock": "role:admin"\n')

    def run(self, program, *words):
        """Run a command that must succeed."""
        command.check([command.program(program), '--config-file',
                       self.directory / 'heat.conf', *words])

    def prepare_database(self, extended=True):
        """Migrate the database, with or without heat-extras-manage db_sync."""
        self.run('heat-manage', 'db_sync')
        if extended:
            self.run('heat-extras-manage', 'db_sync')

    def start(self, name, *words, fault=None):
        """Start a daemon, which ends with this fixture or earlier.

        :param fault: a function's name in process_faults/sitecustomize.py.
        :returns: a :class:`tests.harness.process.Process`.
        """
        made = process.Process(name, [command.program(name), *words],
                               self.directory / f'{name}.output',
                               fault_injector.environment(fault),
                               directory=self.directory).attach(self)
        made.launch()
        return made

    def start_engine(self, fault=None):
        return self.start('heat-engine', '--config-file',
                          self.directory / 'heat.conf', fault=fault)

    def log_text(self):
        return self.log.read_text() if self.log.exists() else ''


class Api(http_client.Http):
    """Heat's own WSGI script on a free port.

    :param script: ``heat-wsgi-api`` or ``heat-wsgi-api-cfn``.
    """

    def __init__(self, installation, script='heat-wsgi-api', fault=None):
        port = ports.free_port()
        super().__init__(f'http://{ports.HOST}:{port}')
        self.daemon = installation.start(
            script, '--host', ports.HOST, '--port', port, '--',
            '--config-file', installation.directory / 'heat.conf',
            fault=fault)

    def wait_until_up(self):
        self.daemon.wait_until(
            'to serve', lambda: http_client.answers(self.url + '/'))

    def act(self, body):
        """Send the body of an action on some stack; returns the response."""
        return self.post(
            '/v1/admin/stacks/web/'
            '11111111-2222-3333-4444-555555555555/actions', body)


def shipped_paste():
    """Find the paste file where a wheel installs it, or in the checkout."""
    installed = HEAT_ETC / PASTE
    return installed if installed.exists() else ROOT / 'etc/heat' / PASTE
