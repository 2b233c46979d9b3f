# SPDX-License-Identifier: Apache-2.0

"""A running Heat with an HTTP client, watched in its database."""

import contextlib
import copy
import os
import time

import fixtures
import requests
import sqlalchemy

from bench import server
from heat_extras.sandbox import process
from heat_extras.sandbox import state_directory
from tests.harness import waiting

_SETTINGS = """\
[DEFAULT]
debug = false
max_resources_per_stack = -1
max_stacks_per_tenant = -1
# 0: no limit. With -1, Heat deletes events of every stack.
max_events_per_stack = 0
# A leaf per thread: without Heat's sleeps all are triggered at once, and
# each waits in its thread for its nested stack.
executor_thread_pool_size = {threads}
rpc_response_timeout = 600
stack_action_timeout = 36000
num_engine_workers = 1

[database]
max_overflow = {threads}
max_pool_size = 50
"""
_THREADS = 1200
_POLL_SECONDS = 0.002


TooSlow = waiting.TooLate


class Failed(Exception):
    """An action on a stack ended in FAILED; the message has the reason."""


class _Process(process.SandboxProcess):

    def __init__(self, own, under, seed, *arguments):
        super().__init__(*arguments)
        module = self._command.index('heat_extras.cmd.sandbox')
        self._command[module:module + 1] = ['bench.server', *own]
        self._command[0:0] = ['env', '-u', 'PYTHONSAFEPATH',
                              'PYTHONHASHSEED=%d' % seed, *under]


class Heat(fixtures.Fixture):
    """Heat in a separate process.

    :param features: of heat-extras; empty for bare Heat.
    :param sleeps: one of :data:`bench.server.SLEEPS`.
    :param database: URL of a new database; None for SQLite.
    :param own: further options of :mod:`bench.server`.
    :param under: words of a command that runs it, and may take its time.
    :param seed: of Python's hashes. Two processes that do the same differ
        by some per cent, as names collide in one and not in the other.
    :ivar database: an :class:`sqlalchemy.engine.Engine` on its database.
    """

    def __init__(self, features='', sleeps=server.NO_LEAF_SLEEPS,
                 database=None, own=(), under=(), seed=0):
        super().__init__()
        self._own = list(own)
        self._under = list(under)
        self._seed = seed
        self.features = features
        self._sleeps = sleeps
        self._url = database

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.state = os.path.join(self.directory, 'state')
        self.record = os.path.join(self.directory, 'record')
        self.settings = os.path.join(self.directory, 'extra.conf')
        self._write_settings()
        self.session = requests.Session()
        self.session.headers['X-Auth-Token'] = 'alice:member'
        self.start()
        self.database = sqlalchemy.create_engine(
            self._url or 'sqlite:///%s/%s' % (
                self.state, state_directory.DATABASE_FILE),
            isolation_level='AUTOCOMMIT')
        self.addCleanup(self.database.dispose)

    def start(self):
        """Start Heat, also after :meth:`stop` with the same stacks.

        :returns: how many seconds it took.
        """
        started = time.perf_counter()
        with open(os.path.join(self.directory, 'errors'), 'a+') as errors:
            self.process = _Process(
                ['--sleeps', self._sleeps, '--record', self.record,
                 *self._own],
                self._under, self._seed, self.state,
                ['--features', self.features, '--config-file',
                 self.settings], errors)
            self.addCleanup(self.process.kill)
            self.url = self.process.start()
        return time.perf_counter() - started

    def processor_seconds(self):
        """Return the processor time of all threads."""
        # The clock of another process: clock_getcpuclockid(3).
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def stop(self):
        """Stop Heat, and wait for its end."""
        self.process.stop()

    def _write_settings(self):
        with open(self.settings, 'w') as target:
            target.write(_SETTINGS.format(threads=_THREADS))
            if self._url:
                target.write('connection = %s\n' % self._url)

    @contextlib.contextmanager
    def another(self):
        """Use the same Heat in another thread.

        :returns: a context manager with a copy that has its own connection.
        """
        other = copy.copy(self)
        with requests.Session() as other.session:
            other.session.headers.update(self.session.headers)
            yield other

    def request(self, method, path, wanted, **keywords):
        """Send a request.

        :param wanted: the status that it must get.
        :returns: the response of requests.
        """
        answer = self.session.request(
            method, self.url + path, timeout=900, **keywords)
        if answer.status_code != wanted:
            raise AssertionError('%s %s: found status %d, wanted %d: %s' % (
                method, path, answer.status_code, wanted, answer.text[:500]))
        return answer

    def act(self, path, body, wanted=200):
        """Post an action on a stack, like ``{'suspend': None}``."""
        return self.request('POST', path + '/actions', wanted, json=body)

    def create(self, name, template, wait=True, **body):
        """Create a stack.

        :returns: its path, after the URL.
        """
        answer = self.request('POST', '/stacks', 201, json={
            'stack_name': name, 'template': template, **body})
        path = '/stacks/%s/%s' % (name, answer.json()['stack']['id'])
        if wait:
            self.wait(path, 'CREATE')
        return path

    def wait(self, path, action, seconds=600):
        """Wait for the end of an action without requests to the engine.

        :param path: the path of the stack.
        :raises TooSlow: when it takes longer.
        :raises Failed: when Heat says so.
        """
        row = self._poll(
            'SELECT action, status, status_reason FROM stack WHERE id = :id',
            path, seconds, lambda row: (row.action == action
                                        and row.status != 'IN_PROGRESS'))
        if row.status != 'COMPLETE':
            raise Failed('%s of %s failed: %s' % (
                action, path, row.status_reason))

    def settle(self, path, seconds=60):
        """Wait until the cleanup of Heat after an action has ended.

        It does so after the stack is COMPLETE (Stack.purge_db), and an
        action that comes in between can get lost.
        """
        self._poll('SELECT count(*) AS points FROM sync_point '
                   'WHERE stack_id = :id',
                   path, seconds, lambda row: row.points == 0)

    def _poll(self, query, path, seconds, is_over):
        values = {'id': path.rpartition('/')[2]}
        with self.database.connect() as connection:
            return waiting.until(
                'the end of an action on ' + path,
                lambda: connection.execute(
                    sqlalchemy.text(query), values).first(),
                is_over, seconds, longest=_POLL_SECONDS)
