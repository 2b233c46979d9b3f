# SPDX-License-Identifier: Apache-2.0

"""The cost of a thousand locks with many stacks, and with few stacks.

``python -m bench.stack_count_scaling [MariaDB PostgreSQL]`` writes 1,000
locked stacks to the database, and then unlocked stacks. With both sizes, it
measures requests to Heat over HTTP, the functions of the operator's commands,
and the queries of engines for the table of locks. Then 200 locks expire at
once, and the engine removes them. The output has the minimum of nine times,
which a busy machine changes least, their ratio, and the statements.
"""

import contextlib
import datetime
import io
import time

from running_heat.common import context as heat_context
from running_heat.db import api as db_api
import sqlalchemy

from bench import databases
from bench import large_cloud
from bench import progress
from bench import running_heat
from bench import templates
from heat_extras.cmd import metrics
from heat_extras.db import operator_locks
from heat_extras.db import purge
from heat_extras.db import stack_columns
from heat_extras import features

_LOCKED = 1000
_SIZES = (1000, 100_000)
_PAGE = 100
_ROUNDS = 9
_LIFTED_AT_ONCE = 10
_ENDS = 200
_PAST = datetime.datetime(2026, 1, 1)
# The rows of a lock, for stacks that are not copies.
_COPIED = """
    UPDATE stack SET tenant = :tenant, lock_id = REPLACE(id, '0', 'c'),
        {columns}
    WHERE lock_level IS NULL"""
_ENTERED = """
    INSERT INTO heat_extras_guard (
        id, kind, stack_id, project, level, action, status, expires_at,
        unlock_at, unlock_attempts)
    SELECT lock_id, 'lock', id, tenant, lock_level, 'LOCK', 'COMPLETE',
        {later}, {later}, 0 FROM stack
    WHERE lock_id IS NOT NULL AND id <> :seed"""
_LATER = {'mysql': 'NOW() + INTERVAL 1 DAY',
          'postgresql': "NOW() + INTERVAL '1 day'"}
_LOCK = {'lock': {'level': 'stacks'}}


class LockedStacks:
    """The stacks of a Heat; the first thousand are locked."""

    def __init__(self, measured):
        self._database = measured.database
        self.path = measured.create('seed', templates.SMALL)
        measured.settle(self.path)
        measured.act(self.path, _LOCK)
        self._count = 0

    def grow(self, count):
        """Add stacks up to a total number."""
        large_cloud.fill(self._database, count, progress.say,
                         first=self._count + 1)
        if not self._count:
            self.lock()
        self._count = count

    def lock(self):
        """Lock all unlocked stacks, while there are a thousand."""
        seed = self.path.rpartition('/')[2]
        with self._database.connect() as connection:
            connection.execute(sqlalchemy.text(
                'DELETE FROM heat_extras_guard WHERE stack_id <> :seed'),
                {'seed': seed})
            row = connection.execute(sqlalchemy.text(
                'SELECT * FROM stack WHERE id = :id'), {'id': seed}
                ).mappings().one()
            names = ['lock_level']
            connection.execute(sqlalchemy.text(_COPIED.format(
                columns=', '.join(f'{name} = :{name}' for name in names))),
                {'tenant': row['tenant'], **{
                    name: row[name] for name in names}})
            connection.execute(sqlalchemy.text(_ENTERED.format(
                later=_LATER[connection.dialect.name])), {'seed': seed})


def _http_requests(measured, path):
    """Return the requests to Heat by name."""
    def get(path, kind=None):
        body = measured.request('GET', path, 200).json()
        assert kind is None or len(body[kind]) == _PAGE, body
    page = f'?limit={_PAGE}'
    return {
        'list': lambda: get('/stacks' + page, 'stacks'),
        'list, filtered': lambda: get(
            f'/stacks{page}&status=COMPLETE', 'stacks'),
        'show': lambda: get(path),
        'a page of locks': lambda: get('/locks' + page, 'locks')}


def _database_calls(engine):
    """Return the functions of commands and engines by name."""
    return {
        'list-locks --all': lambda: operator_locks.list_locks(engine,
                                                              nested=True),
        'metrics': lambda: _quietly(metrics.metrics, None, engine),
        'purge': lambda: purge.purge_tables(engine, features.all_features()),
        'look for locks that end': lambda: _look_for_ends()}


def _look_for_ends():
    # Import this after the columns were added to Heat's classes.
    from heat_extras.stack_lock import auto_unlock
    return auto_unlock.find_due(heat_context.RequestContext(
        is_admin=True), _LIFTED_AT_ONCE)


def _quietly(function, *args):
    with contextlib.redirect_stdout(io.StringIO()):
        function(*args)


def _seconds(function):
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def measure(kind):
    """Print the results on one database."""
    with databases.Databases(kind) as places:
        url = places.new()
        with running_heat.Heat('all', database=url) as measured:
            engine = _own_engine(url)
            stacks = LockedStacks(measured)
            sizes = [_size(measured, engine, stacks, size)
                     for size in _SIZES]
            _print_sizes(kind, *sizes)


def _own_engine(url):
    """Make the database code of this process use a database."""
    stack_columns.map_stack_columns()
    db_api.context_manager.configure(connection=url)
    return db_api.context_manager.writer.get_engine()


def _size(measured, engine, stacks, size):
    stacks.grow(size)
    samples = {}
    for name, function in {**_http_requests(measured, stacks.path),
                           **_database_calls(engine)}.items():
        function()
        sent = []
        with _recording_statements(engine, sent):
            seconds = [_seconds(function) for _ in range(_ROUNDS)]
        samples[name] = (min(seconds), len(sent) / _ROUNDS)
    samples['lift a lock that ends'] = (_lift(measured, _ENDS), 0)
    if size == _LOCKED:
        stacks.lock()
    return samples


@contextlib.contextmanager
def _recording_statements(engine, sent):
    def note(connection, cursor, statement, *more):
        sent.append(statement)
    sqlalchemy.event.listen(engine, 'before_cursor_execute', note)
    yield
    sqlalchemy.event.remove(engine, 'before_cursor_execute', note)


def _print_sizes(kind, few, many):
    print(f'{kind:28}' + ''.join(f'{size:>9} stacks' for size in _SIZES)
          + '   ratio  statements')
    for name, (seconds, count) in many.items():
        least, count_of_few = few[name]
        counts = f'{count_of_few:.0f}, {count:.0f}' if count else '-'
        print(f'{name:28}{1000 * least:13.1f} ms{1000 * seconds:13.1f} ms'
              f'{seconds / least:8.2f}  {counts}', flush=True)


def _lift(measured, count):
    """Let locks expire; returns the seconds for each unlock."""
    with measured.database.connect() as connection:
        ids = connection.scalars(sqlalchemy.text(
            'SELECT id FROM heat_extras_guard WHERE unlock_at IS NOT NULL '
            'ORDER BY id')).all()[:count]
        connection.execute(sqlalchemy.text(
            'UPDATE heat_extras_guard SET expires_at = :past, '
            'unlock_at = :past WHERE id <= :last AND unlock_at IS NOT NULL'),
            {'past': _PAST, 'last': ids[-1]})
        left = sqlalchemy.text('SELECT count(*) FROM heat_extras_guard '
                               'WHERE expires_at = :past')
        begun, first = None, count
        # The first unlocks wait for the next report of an engine.
        while True:
            left_count = connection.scalar(left, {'past': _PAST})
            if begun is None and left_count < count:
                begun, first = time.perf_counter(), left_count
            if not left_count:
                return (time.perf_counter() - begun) / max(1, first)
            time.sleep(0.02)


def main():
    """Print a table for each database."""
    parser = databases.parser('bench.stack_count_scaling', __doc__,
                              databases.SERVERS)
    for kind in parser.parse_args().kinds:
        measure(kind)


if __name__ == '__main__':
    main()
