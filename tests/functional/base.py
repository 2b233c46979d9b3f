# SPDX-License-Identifier: Apache-2.0

"""A running sandbox and its clients, for functional tests."""

import atexit
import collections
import contextlib
import os
import signal
import sqlite3

import fixtures
import testtools

from heat_extras.sandbox import process
from heat_extras.sandbox import state_directory
from tests.functional import api_conformity
from tests.harness import class_fixtures
from tests.harness import command
from tests.harness import forkserver
from tests.harness import heat_client
from tests.harness import logs
from tests.harness import process as rigs_process
from tests.harness import suites


class Client(heat_client.Client):
    """Client of a sandbox that checks each response by the API description."""

    def request(self, *args, **keywords):
        answer = super().request(*args, **keywords)
        api_conformity.shipped().check(answer)
        return answer


# Factor by which the pauses of Heat are shortened. A stack of ten resources
# takes half a second instead of ten seconds.
HURRY = 20

# Heat and other tests also write.
_DATABASE_SECONDS = 60

# Hides warnings of other packages.
QUIET = {'PYTHONWARNINGS': 'ignore'}

# Settings of a Heat with the legacy engine.
LEGACY = '[DEFAULT]\nconvergence_engine = false\n'

# Settings of each shared sandbox: resource types that only tests use.
_SHARED = f"""[DEFAULT]
plugin_dirs = {os.path.join(os.path.dirname(__file__), 'lock_plugin')}
"""


class Sandbox(fixtures.Fixture):
    """A sandbox that runs as long as the fixture is used.

    :param options: further arguments of ``heat-extras-sandbox serve``
    :param settings: text of an extra configuration file
    :ivar url: of the API, up to the project
    :param programs: the directory of programs of another environment
    :ivar options: those of the next start, as is *programs*
    """

    def __init__(self, options=(), settings=None, programs=command.BIN):
        super().__init__()
        self.options = list(options)
        self.programs = programs
        self._settings = settings
        self._process = None

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.state_dir = os.path.join(self.directory, 'state')
        self.log_path = os.path.join(self.state_dir, state_directory.LOG_FILE)
        self.error_path = os.path.join(self.directory, 'errors')
        self.settings_path = os.path.join(self.directory, 'extra.conf')
        if self._settings is not None:
            with open(self.settings_path, 'w') as target:
                target.write(self._settings)
            self.options += ['--config-file', self.settings_path]
        self.addDetail('sandbox errors', logs.file_content(self.error_path))
        self.addDetail('heat.log', logs.file_content(self.log_path))
        self.addCleanup(self.kill)
        self.start()

    @property
    def url(self):
        return self._process.url

    @property
    def pid(self):
        return self._process.pid

    def start(self):
        """Start the sandbox, each time on another port."""
        with open(self.error_path, 'a+') as errors:
            self._process = self._new_process(
                self.state_dir, ['--hurry', str(HURRY), *self.options],
                errors)
            self._process.start()

    def _new_process(self, *arguments):
        if self.programs == command.BIN:
            return forkserver.Process(*arguments)
        return process.SandboxProcess(
            *arguments, python=os.path.join(self.programs, 'python'))

    def stop(self):
        """Stop the sandbox and return its exit status."""
        return self._process.stop()

    def kill(self):
        """Kill the sandbox, like a crash."""
        if self._process is not None:
            self._process.kill()

    def restart(self):
        """Restart the sandbox with the same stacks."""
        self.stop()
        self.start()

    def client(self, user='alice', *roles):
        """Make a client for a user; without roles a member."""
        return Client(self.url, user, *roles)

    @contextlib.contextmanager
    def database(self):
        """Open the database, and commit at the end."""
        with contextlib.closing(sqlite3.connect(
                os.path.join(self.state_dir, state_directory.DATABASE_FILE),
                timeout=_DATABASE_SECONDS)) as connection, connection:
            yield connection

    def sql(self, statement, *values):
        """Execute an SQL statement and return its rows."""
        with self.database() as connection:
            return connection.execute(statement, values).fetchall()

    def run(self, program, *words, with_settings=False):
        """Run a command of Heat or heat-extras with the sandbox's heat.conf.

        :param with_settings: of this fixture, too
        :returns: the completed process, whatever its status
        """
        return command.run(self.words(program, *words,
                                      with_settings=with_settings),
                           environment={**os.environ, **QUIET})

    def begin(self, program, *words, **options):
        """Start a command like :meth:`run`, without waiting.

        :returns: a :class:`tests.harness.process.Process` that a signal
            SIGINT stops
        """
        begun = rigs_process.Process(
            program, self.words(program, *words, **options),
            os.path.join(self.directory, program), QUIET,
            stop_signal=signal.SIGINT)
        begun.launch()
        return begun

    def words(self, program, *words, with_settings=False):
        """Return the command line of a program with the sandbox's files."""
        files = [os.path.join(self.state_dir, state_directory.CONFIG_FILE)]
        if with_settings:
            files.append(self.settings_path)
        return [os.path.join(self.programs, program),
                *(word for path in files
                  for word in ('--config-file', path)), *words]


class InProject:
    """A sandbox with the URL of one of its projects.

    :ivar url: of the API, up to the project
    """

    def __init__(self, sandbox, project):
        self._sandbox = sandbox
        self._project = project

    def __getattr__(self, name):
        return getattr(self._sandbox, name)

    @property
    def url(self):
        return self._sandbox.url.rpartition('/')[0] + '/' + self._project

    def client(self, user='alice', *roles):
        """Make a client for a user; without roles a member."""
        return Client(self.url, user, *roles)


class TestCase(class_fixtures.ClassFixtures, testtools.TestCase):
    """Test case with a sandbox for the tests of a class.

    A start takes seconds, so classes with the same settings share a sandbox.
    Each class has its own project.

    :cvar options: and ``settings``: those of :class:`Sandbox`
    :cvar is_shared: False for classes that leave other traces in a sandbox
        than stacks, or start it in another way
    """

    options = ()
    settings = None
    is_shared = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if cls.is_shared:
            cls.sandbox = InProject(_shared(*cls.wanted_heat()),
                                    cls.__name__.lower())
            return
        cls.sandbox = cls.use_in_class(Sandbox(cls.options, cls.settings))

    @classmethod
    def wanted_heat(cls):
        """Return the properties of the sandbox that the class needs."""
        if cls.is_shared:
            return tuple(cls.options), suites.merged(_SHARED, cls.settings)
        return cls.__module__, cls.__qualname__

    def setUp(self):
        super().setUp()
        self.addDetail('heat.log', logs.file_content(self.sandbox.log_path))
        self.client = self.sandbox.client()


# Running sandboxes of this process, the last used at the end.
_running = collections.OrderedDict()
_MOST = 2


def _shared(*arguments):
    # Environment variables of a class only apply to its sandbox.
    wanted = (arguments, tuple(sorted(
        (name, value) for name, value in os.environ.items()
        if name == 'PYTHONPATH' or name.startswith('HEAT_EXTRAS_'))))
    if wanted not in _running:
        while len(_running) >= _MOST:
            _, oldest = _running.popitem(last=False)
            oldest.cleanUp()
        sandbox = Sandbox(*arguments)
        sandbox.setUp()
        _running[wanted] = sandbox
    _running.move_to_end(wanted)
    return _running[wanted]


@atexit.register
def _end_shared():
    while _running:
        _running.popitem()[1].cleanUp()
