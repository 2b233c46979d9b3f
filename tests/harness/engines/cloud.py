# SPDX-License-Identifier: Apache-2.0

"""A cloud of one API and several heat-engine processes.

The engines are the installed command, with a separate broker and database. The
replacement for Keystone is the one of the sandbox.
"""

import itertools
import os

import fixtures
import sqlalchemy

from tests.harness import command
from tests.harness.engines import engine
from tests.harness.engines import settings
from tests.harness import fault_injector
from tests.harness import heat_client
from tests.harness import http_client
from tests.harness import ports
from tests.harness import process
from tests.harness.services import rabbitmq
from tests.harness.services import shared

# The directory of the programs of Heat in the test environment.
OWN = command.BIN


class Cloud(fixtures.Fixture):
    """A cloud that runs as long as the fixture is used.

    :param kind: class of the database's server, or a tuple with arguments
    :param engines: how many engines carry heat-extras
    :param more: settings of the section DEFAULT
    :param own: options of an engine's section heat_extras, with ``{name}`` for
        the engine's
    :param features: of those engines
    :param programs: the directory with the programs of another environment
    :param clocks: by how many seconds those of engines are wrong, by name;
        ``process_faults`` is to be on the PYTHONPATH

    :ivar kind: as a tuple
    :ivar broker: a :class:`rabbitmq.RabbitMQ`, that can be stopped
    :ivar url: of the API, up to the project
    :ivar database_url: for oslo.db
    :ivar engines: by name
    """

    def __init__(self, kind, engines=2, more='', programs=OWN, own='',
                 features='all', clocks=None):
        super().__init__()
        self._features = features
        self.programs = programs
        self.kind = kind if isinstance(kind, tuple) else (kind,)
        self._count = engines
        self._more = more
        self._own = own
        self._clocks = clocks or {}

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        database = self.useFixture(shared.Database(*self.kind))
        self.database_url = database.url
        # With a cluster, the engines use different servers.
        self._databases = itertools.cycle(database.urls)
        self._port = ports.free_port()
        self._files = settings.write_shared(
            self.directory, self._port, self._transport(),
            self.database_url, self._more)
        # Tests restart the server.
        self._sql = sqlalchemy.create_engine(self.database_url,
                                             pool_pre_ping=True)
        self.addCleanup(self._sql.dispose)
        self.engines = {}
        self.synchronize()
        self._start_api()
        self._standing = [f'engine-{number + 1}'
                          for number in range(self._count)]
        for name in self._standing:
            self.launch_engine(name)
        for name in self._standing:
            self.wait_for_engine(name)

    @property
    def url(self):
        return f'http://127.0.0.1:{self._port}/v1/demo'

    def client(self, user='alice', *roles):
        """Make a client for a user; without roles a member."""
        return heat_client.Client(self.url, user, *roles)

    def restart_engine(self, name):
        """Restart an engine that has ended, with the same settings."""
        self.engines[name].start()

    def start_engine(self, name, *arguments, **options):
        """Start an additional engine; wait until it has reported itself."""
        self.launch_engine(name, *arguments, **options)
        self.wait_for_engine(name)
        return self.engines[name]

    def launch_engine(self, name, features=None, clock_seconds=None):
        """Start an engine, and do not wait.

        :param features: in place of those of the cloud.
        :param clock_seconds: by how many its clock is wrong.
        """
        if features is None:
            features = self._features
        own = settings.write_own(self.directory, name, features,
                                 next(self._databases), self._own,
                                 self.programs)
        made = engine.Engine(
            name, [self._program('heat-engine'), *self._arguments(own)],
            self.output_path(name), find_id=self.engine_id,
            environment=self._clock(name, clock_seconds))
        self.engines[name] = made
        self.addCleanup(made.kill)
        made.launch()

    def _clock(self, name, seconds):
        make = fault_injector.environment if seconds else fault_injector.beside
        seconds = seconds or self._clocks.get(name)
        return seconds and make('another_clock',
                                HEAT_EXTRAS_CLOCK_SECONDS=seconds)

    def wait_for_engine(self, name):
        """Wait until an engine serves requests."""
        self.engines[name].wait_until_ready()

    def engine_id(self, name):
        """Return the ID of the newest engine with this name, or None."""
        with self.connect() as connection:
            return connection.scalar(sqlalchemy.text(
                'SELECT engine_id FROM service WHERE host = :host AND '
                'deleted_at IS NULL ORDER BY created_at DESC LIMIT 1'),
                {'host': name})

    def ensure_engines(self):
        """Restart engines that a test has ended, and stop added ones."""
        for name, known in list(self.engines.items()):
            if name not in self._standing:
                known.kill()
                del self.engines[name]
            elif not known.is_running():
                self.start_engine(name)

    def connect(self):
        """Open a connection to the database without Heat."""
        return self._sql.connect()

    def log_text(self, name):
        """Return the log of a process."""
        path = os.path.join(self.directory, f'{name}.log')
        with open(path, errors='replace') as source:
            return source.read()

    def output_path(self, name):
        """Return the path of the output of a process."""
        return os.path.join(self.directory, f'{name}.err')

    def _transport(self):
        # A separate virtual host would need rabbitmqctl, which is slow.
        # Therefore, each cloud has its own broker.
        self.broker = self.useFixture(rabbitmq.RabbitMQ())
        return self.broker.url

    def run(self, program, *words, answer=None):
        """Run a command; returns its status and output.

        :param answer: the input for its prompts
        """
        words = [self._program(program), *self._arguments(), *words]
        if answer is not None:
            words = ['sh', '-c', f'echo {answer} | "$@"', 'sh', *words]
        done = command.run(words)
        return done.returncode, done.stdout + done.stderr

    def synchronize(self):
        """Migrate the tables of Heat and heat-extras."""
        for program in ('heat-manage', 'heat-extras-manage'):
            status, text = self.run(program, 'db_sync')
            if status:
                raise AssertionError(f'{program} db_sync: {text}')

    def restart_api(self):
        """Restart the API, possibly from another environment."""
        self._api.kill()
        self._start_api()

    def _start_api(self):
        own = settings.write_own(self.directory, 'api', 'all',
                                 self.database_url, programs=self.programs)
        self._api = process.Process(
            'api', [self._program('python'), '-m', 'tests.harness.engines.api',
                    self._port, *self._files, own],
            self.output_path('api'), is_ready=self._api_answers)
        self.addCleanup(self._api.kill)
        self._api.start()

    def _api_answers(self):
        # The replacement of Keystone responds without an engine.
        return http_client.answers(
            f'http://127.0.0.1:{self._port}/identity', below=400)

    def _program(self, name):
        return os.path.join(self.programs, name)

    def _arguments(self, *more):
        return [word for path in (*self._files, *more)
                for word in ('--config-file', path)]
