# SPDX-License-Identifier: Apache-2.0

"""``db_sync`` and ``db_downgrade`` with many rows, during requests to Heat.

``python -m bench.online_migration [--rows N] [MariaDB PostgreSQL]`` fills
Heat's tables of stacks, resources and templates, and sends requests without a
pause: stacks are created, updated, deleted, shown and listed, and SQL writes a
row of the migrated table. Meanwhile, the columns and tables of heat-extras are
added. Then the command runs again, while stacks are locked and unlocked by a
Heat with heat-extras. Finally, the columns and tables are removed, including a
lock. The output has the requests, the failures, and the longest durations
during each command, and without a command.
"""

import collections
import contextlib
import itertools
import os
import subprocess
import sys
import threading
import time

import sqlalchemy

from bench import databases
from bench import large_cloud
from bench import progress
from bench import running_heat
from bench import templates
from heat_extras.sandbox import state_directory

_ROWS = 1_000_000
_REST_SECONDS = 15
_MANAGE = 'from heat_extras.cmd import manage; manage.main()'
_TOUCH = sqlalchemy.text(
    'UPDATE stack SET updated_at = updated_at WHERE id = :id')
_HEADING = ('while', 'seconds', 'what', 'asked', 'failed', 'longest')


class LoadClient:
    """A client that sends requests without a pause until it is stopped.

    :param measured: :class:`bench.running_heat.Heat`.
    :ivar done: (what, begun, ended, error or None) of each request.
    """

    def __init__(self, measured):
        self._measured = measured
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.done = []

    def begin(self):
        """Start to send requests."""
        self._thread.start()
        return self

    def end(self):
        """Stop, and wait for the last response."""
        self._is_over.set()
        self._thread.join()

    def _run(self):
        with self._measured.another() as self._heat:
            for number in itertools.count(1):
                if self._is_over.is_set():
                    break
                # Record a failed request, and continue with the next one.
                with contextlib.suppress(Exception):
                    self.ask(number)

    @contextlib.contextmanager
    def timed(self, operation):
        begun, error = time.monotonic(), None
        try:
            yield
        except Exception as caught:
            error = caught
            raise
        finally:
            self.done.append((operation, begun, time.monotonic(), error))


class LifecycleClient(LoadClient):
    """Creates, updates and deletes stacks."""

    def ask(self, number):
        with self.timed('create'):
            path = self._heat.create(f'migrating{number}', templates.SMALL)
        with self.timed('update'):
            self._heat.settle(path)
            self._heat.request('PUT', path, 202, json={
                'template': templates.SMALL, 'parameters': {'value': 'two'}})
            self._heat.wait(path, 'UPDATE')
        with self.timed('delete'):
            self._heat.settle(path)
            self._heat.request('DELETE', path, 204)
            self._heat.wait(path, 'DELETE')


class ReadClient(LoadClient):
    """Shows a stack and lists those of the project."""

    def __init__(self, measured, path):
        super().__init__(measured)
        self._path = path

    def ask(self, number):
        for operation, path in ('show', self._path), ('list', '/stacks'):
            with self.timed(operation):
                self._heat.request('GET', path, 200)


class LockClient(ReadClient):
    """Locks a stack and unlocks it."""

    def ask(self, number):
        for operation, body in (('lock', {'lock': {'level': 'stacks'}}),
                                ('unlock', {'unlock': None})):
            with self.timed(operation):
                self._heat.act(self._path, body)


class RowWriteClient(ReadClient):
    """Updates a row of the stack table."""

    def ask(self, number):
        with self._heat.database.connect() as connection:
            with self.timed('write of a row'):
                connection.execute(
                    _TOUCH, {'id': self._path.rpartition('/')[2]})


def run(kind, rows, say):
    """Migrate on one database.

    :returns: lines of the table, as tuples of texts.
    """
    with databases.Databases(kind) as places:
        url, lines = places.new(), []
        with running_heat.Heat('', database=url) as bare:
            path = bare.create('looked-at', templates.SMALL)
            large_cloud.fill(bare.database, rows,
                             lambda text: say(f'{kind}: {text}'))
            lines += _run_under_load(
                bare, path, ['Heat as it is', 'db_sync'], say)
            _forget_engines(bare)
        with running_heat.Heat('all', database=url) as guarded:
            lines += _run_under_load(
                guarded, path, ['features on', 'db_sync', 'purge'], say,
                LockClient(guarded, _locked(guarded, 'locked')))
            _locked(guarded, 'left', is_locked=True)
            _forget_engines(guarded)
        with running_heat.Heat('', database=url) as bare:
            lines += _run_under_load(bare, path, [
                'features off', 'db_downgrade --unlock-all'], say)
    return lines


def _forget_engines(measured):
    # A stopped engine is considered up for two minutes.
    measured.stop()
    with measured.database.connect() as connection:
        connection.exec_driver_sql('DELETE FROM service')


def _locked(measured, name, is_locked=False):
    path = measured.create(name, templates.SMALL)
    measured.settle(path)
    if is_locked:
        measured.act(path, {'lock': {'level': 'stacks'}})
    return path


def _run_under_load(measured, path, names, say, *more):
    """Send requests without a pause, first alone, then during each command."""
    clients = [client.begin() for client in (
        LifecycleClient(measured), ReadClient(measured, path),
        RowWriteClient(measured, path), *more)]
    spans = []
    for number, name in enumerate(names):
        say(name)
        begun = time.monotonic()
        if number:
            _command(measured, name)
            spans.append((name, begun, time.monotonic()))
        time.sleep(0 if number else _REST_SECONDS)
        if not number:
            spans.append((name, begun, time.monotonic()))
    time.sleep(1)
    for client in clients:
        client.end()
    return _lines(spans, [each for client in clients for each in client.done])


def _command(measured, name):
    # Like in the shell of an operator, with the configuration of this Heat.
    subprocess.run(
        [sys.executable, '-c', _MANAGE, '--config-file',
         os.path.join(measured.state, state_directory.CONFIG_FILE),
         '--config-file', measured.settings, *name.split()],
        check=True, stdout=sys.stderr)


def _lines(spans, done):
    for name, begun, ended in spans:
        beside = collections.defaultdict(list)
        for operation, since, until, error in done:
            if since < ended and until > begun:
                beside[operation].append((until - since, error))
        for operation, each in beside.items():
            errors = [error for _, error in each if error]
            for error in errors:
                print(f'{name}: {operation}: {error}', file=sys.stderr)
            yield (name, f'{ended - begun:.1f}', operation, str(len(each)),
                   str(len(errors)),
                   f'{1000 * max(took for took, _ in each):.0f} ms')


def main():
    """Print a table for each database; return 1 if a request failed."""
    parser = databases.parser('bench.online_migration', __doc__,
                              databases.SERVERS)
    parser.add_argument('--rows', type=int, default=_ROWS,
                        help='stacks in all (default: %(default)s)')
    arguments = parser.parse_args()
    has_failed = False
    for kind in arguments.kinds:
        lines = run(kind, arguments.rows, progress.say)
        print(f'{kind}, {arguments.rows} rows')
        for line in [_HEADING, *lines]:
            print('%-34s %8s  %-15s %6s %6s %10s' % tuple(line), flush=True)
        has_failed |= any(line[4] != '0' for line in lines)
    return int(has_failed)


if __name__ == '__main__':
    sys.exit(main())
