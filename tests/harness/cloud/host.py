# SPDX-License-Identifier: Apache-2.0

"""The host of a cloud: directory, software, database, broker, processes."""

import configparser
import os
import sys

import fixtures

from tests.harness.cloud import wsgi
from tests.harness import command
from tests.harness import process
from tests.harness.services import mariadb
from tests.harness.services import rabbitmq
from tests.harness import software

# Otherwise, native threads of libraries use memory for each core.
_FRUGAL = {'OMP_NUM_THREADS': '1', 'MALLOC_ARENA_MAX': '2',
           'PYTHONWARNINGS': 'ignore', 'PYTHONUNBUFFERED': '1'}


class Host(fixtures.Fixture):
    """The host of all services.

    :param database: class of the database server of all services
    :ivar directory: with one directory per service, and the logs
    :ivar environment: the Python environment of the services
    :ivar transport: URL of the broker. All services share one virtual host:
        making another takes rabbitmqctl, which is slow, and their topics
        differ.
    """

    def __init__(self, database=mariadb.MariaDB):
        super().__init__()
        self._database = database
        self.processes = []

    def _setUp(self):
        self.environment = software.services().environment()
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.database = self.useFixture(self._database())
        self.broker = self.useFixture(rabbitmq.RabbitMQ())
        self.transport = self.broker.url
        self.addCleanup(self._stop)

    def path(self, *names):
        """Return a path below the directory, whose parents exist."""
        path = os.path.join(self.directory, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def installed(self, *names):
        """Return a path in the environment of the services."""
        return os.path.join(self.environment, *names)

    def write_ini(self, path, sections):
        """Write a configuration file.

        :param sections: dict of dicts; values are written as strings
        :returns: its path
        """
        # DEFAULT is a section like any other, and '%' a character.
        parser = configparser.RawConfigParser(default_section='')
        parser.read_dict(sections)
        with open(path, 'w') as target:
            parser.write(target)
        return path

    def run(self, *words):
        """Run a command of a service, and wait for its end.

        :returns: what it printed
        :raises tests.harness.command.Failed: when it failed
        """
        return command.check(
            [self.installed('bin', words[0]), *words[1:]],
            environment={**os.environ, **_FRUGAL})

    def process(self, name, words, environment=None, kind=process.Process,
                **keywords):
        """Make a process, not started; it is stopped with the cloud.

        :param words: the first word is a program of the services, or
            absolute
        :param kind: class of the process, which takes the rest
        """
        made = kind(
            name, [self.installed('bin', words[0]), *words[1:]],
            self.path('logs', f'{name}.log'),
            {**_FRUGAL, **(environment or {})}, **keywords)
        self.processes.append(made)
        return made

    def web(self, name, module, port, arguments=(), python='python',
            is_ready=None, one_at_a_time=False, **environment):
        """Create a process that serves a WSGI application.

        :param one_at_a_time: whether one thread at a time is in it.
        """
        options = [wsgi.ONE_AT_A_TIME] if one_at_a_time else []
        return self.process(
            name, [python, wsgi.__file__, *options, module, str(port),
                   *arguments],
            environment, is_ready=is_ready)

    def web_of_tests(self, *arguments, **keywords):
        """Create a process that runs in the environment of the tests."""
        return self.web(*arguments, python=sys.executable, **keywords)

    def _stop(self):
        """Stop all processes, the last one first, after a signal to all."""
        for started in reversed(self.processes):
            started.terminate()
        for started in reversed(self.processes):
            started.stop()
