# SPDX-License-Identifier: Apache-2.0

"""A cloud of one API and several heat-engine processes.

The engines are the installed command, on a broker and a database of their
own; what stands for Keystone is the sandbox's.
"""

import itertools
import os
import signal
import subprocess
import sys
import time

import fixtures
import requests
import sqlalchemy

from tests.engines import settings
from tests.functional import base
from tests.rigs.services import daemon
from tests.rigs.services import rabbitmq
from tests.rigs.services import shared

START_SECONDS = 120
_STEP_SECONDS = 0.2

# Where the programs of the Heat are that the tests run in.
OWN = os.path.dirname(sys.executable)


class Engine:
    """One heat-engine process with its children.

    :param predecessor: id of the last engine of the same name, if any
    """

    def __init__(self, name, process, predecessor=None):
        self.name = name
        self.process = process
        self.predecessor = predecessor

    @property
    def group(self):
        return self.process.pid

    def kill(self):
        """End it at once, like a host that loses power."""
        self._signal(signal.SIGKILL)

    def stop(self):
        """Ask it to end, and wait."""
        self._signal(signal.SIGTERM)

    def hang(self):
        """Let it do nothing any more, like a host that swaps."""
        os.killpg(self.group, signal.SIGSTOP)

    def come_back(self):
        """Let it go on where it hung."""
        os.killpg(self.group, signal.SIGCONT)

    def _signal(self, number):
        if self.process.poll() is None:
            os.killpg(self.group, number)
        self.process.wait(60)


class Cloud(fixtures.Fixture):
    """A cloud that runs as long as the fixture is used.

    :param kind: class of the database's server, or a tuple with arguments
    :param engines: how many engines carry heat-extras
    :param more: settings of the section DEFAULT
    :param programs: the directory with the programs of another environment

    :ivar url: of the API, up to the project
    :ivar database_url: for oslo.db
    :ivar engines: by name
    """

    def __init__(self, kind, engines=2, more='', programs=OWN):
        super().__init__()
        self.programs = programs
        self._kind = kind if isinstance(kind, tuple) else (kind,)
        self._count = engines
        self._more = more

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        database = self.useFixture(shared.Database(*self._kind))
        self.database_url = database.url
        # On a cluster the engines talk to different servers.
        self._databases = itertools.cycle(database.urls)
        self._port = daemon.free_port()
        self._files = settings.write_shared(
            self.directory, self._port, self._transport(),
            self.database_url, self._more)
        self._sql = sqlalchemy.create_engine(self.database_url)
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
        return base.Client(self.url, user, *roles)

    def start_engine(self, name, features='all'):
        """Start a further engine and wait until it has reported itself."""
        self.launch_engine(name, features)
        self.wait_for_engine(name)
        return self.engines[name]

    def launch_engine(self, name, features='all'):
        """Start an engine, and do not wait."""
        own = settings.write_own(self.directory, name, features,
                                 next(self._databases))
        predecessor = self.engine_id(name)
        engine = Engine(name, self._popen(
            [self._program('heat-engine'), *self._arguments(own)], name),
            predecessor)
        self.engines[name] = engine
        self.addCleanup(engine.kill)

    def wait_for_engine(self, name):
        """Wait until an engine serves requests."""
        engine = self.engines[name]
        _wait(lambda: self.engine_id(name) not in (None,
                                                   engine.predecessor),
              engine.process, self._error(name))

    def engine_id(self, name):
        """Return the id of the newest engine of that name, or None."""
        with self.connect() as connection:
            return connection.scalar(sqlalchemy.text(
                'SELECT engine_id FROM service WHERE host = :host AND '
                'deleted_at IS NULL ORDER BY created_at DESC LIMIT 1'),
                {'host': name})

    def ensure_engines(self):
        """Start again what a test has ended, and end what it has added."""
        for name, engine in list(self.engines.items()):
            if name not in self._standing:
                engine.kill()
                del self.engines[name]
            elif engine.process.poll() is not None:
                self.start_engine(name)

    def connect(self):
        """Open a connection to the database, not through Heat."""
        return self._sql.connect()

    def log_text(self, name):
        """Return what a process has logged."""
        path = os.path.join(self.directory, f'{name}.log')
        with open(path, errors='replace') as source:
            return source.read()

    def _transport(self):
        # A virtual host of one's own would need rabbitmqctl, which is slow;
        # so a cloud has the broker for itself.
        return self.useFixture(rabbitmq.RabbitMQ()).url

    def run(self, program, *words):
        """Run a command to its end; returns its status and what it says."""
        done = subprocess.run(
            [self._program(program), *self._arguments(), *words],
            timeout=START_SECONDS, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def synchronize(self):
        """Bring the tables up to date, Heat's and ours."""
        for program in ('heat-manage', 'heat-extras-manage'):
            status, text = self.run(program, 'db_sync')
            if status:
                raise AssertionError(f'{program} db_sync: {text}')

    def restart_api(self):
        """End the API and start it, maybe from another environment."""
        self._api.kill()
        self._start_api()

    def _start_api(self):
        own = settings.write_own(self.directory, 'api', 'all',
                                 self.database_url)
        process = self._popen(
            [self._program('python'), '-m', 'tests.engines.api',
             str(self._port), *self._files, own], 'api')
        self._api = Engine('api', process)
        self.addCleanup(self._api.kill)
        _wait(self._api_answers, process, self._error('api'))

    def _api_answers(self):
        try:
            # Its Keystone answers without an engine.
            return requests.get(
                f'http://127.0.0.1:{self._port}/identity', timeout=5).ok
        except requests.ConnectionError:
            return False

    def _program(self, name):
        return os.path.join(self.programs, name)

    def _arguments(self, *more):
        return [word for path in (*self._files, *more)
                for word in ('--config-file', path)]

    def _error(self, name):
        return os.path.join(self.directory, f'{name}.err')

    def _popen(self, command, name):
        with open(self._error(name), 'ab') as errors:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=errors,
                stderr=errors, start_new_session=True)


def _wait(is_ready, process, error_path):
    deadline = time.monotonic() + START_SECONDS
    while not is_ready():
        if process.poll() is not None or time.monotonic() > deadline:
            raise AssertionError(
                'Process %s is not ready (exit status %s): %s' % (
                    process.args[:3], process.poll(),
                    daemon.tail(error_path)))
        time.sleep(_STEP_SECONDS)
