# SPDX-License-Identifier: Apache-2.0

"""The list of locks, page by page, with few and many stacks."""

import dataclasses
import json
import time

from oslo_utils import uuidutils
import sqlalchemy

from bench import databases
from bench import lock_vs_suspend
from bench import running_heat
from bench import templates

_BATCH = 500
_STACK, _LOCK = 'stack', 'heat_extras_guard'


@dataclasses.dataclass
class Outcome:
    """Durations of the pages of one list.

    :ivar stacks: the total number of stacks.
    :ivar locked: the number of locked stacks.
    :ivar limit: the number of locks on a page.
    :ivar first: of the first page of each list.
    :ivar last: of its last page.
    :ivar pages: of all of them.
    :ivar lists: of whole lists.
    :ivar statements: how many were sent for each page.
    """

    database: str
    stacks: int
    locked: int
    limit: int
    first: list = dataclasses.field(default_factory=list)
    last: list = dataclasses.field(default_factory=list)
    pages: list = dataclasses.field(default_factory=list)
    lists: list = dataclasses.field(default_factory=list)
    statements: set = dataclasses.field(default_factory=set)


def measure(workload, kind, say):
    """Measure on one database with an increasing number of stacks.

    :returns: a list of :class:`Outcome`.
    """
    page_times = []
    with databases.Databases(kind) as places, running_heat.Heat(
            'all', database=places.new()) as measured:
        rows = _Rows(measured, workload.listed)
        for stacks in workload.listed_among:
            say('%s: list %d locks among %d stacks'
                % (kind, workload.listed, stacks))
            rows.grow(stacks)
            for limit in workload.pages:
                outcome = Outcome(kind, stacks, workload.listed, limit)
                for _ in range(workload.lists):
                    _list(measured, outcome)
                page_times.append(outcome)
    return page_times


def _list(measured, outcome):
    path, seconds, count = '/locks?limit=%d' % outcome.limit, [], 0
    seen = len(_records(measured))
    while path:
        started = time.perf_counter()
        page = measured.request('GET', path, 200).json()
        seconds.append(time.perf_counter() - started)
        count += len(page['locks'])
        path = ('/locks' + page['links'][0]['href'].partition('/locks')[2]
                if page['links'] else None)
    assert count == outcome.locked, count
    outcome.first.append(seconds[0])
    outcome.last.append(seconds[-1])
    outcome.pages += seconds
    outcome.lists.append(sum(seconds))
    outcome.statements |= {each['statements']
                           for each in _records(measured)[seen:]}


def _records(measured):
    with open(measured.record) as source:
        return [json.loads(line) for line in source]


class _Rows:
    """Copies of a stack in the database, locked and unlocked.

    :param locked: how many are to be locked; they are there from the first.
    """

    def __init__(self, measured, locked):
        self._engine = measured.database
        self._tables = sqlalchemy.MetaData()
        self._tables.reflect(self._engine, only=[_STACK, _LOCK])
        path = measured.create('seed', templates.SMALL)
        measured.settle(path)
        self._free = self._read(_STACK)
        measured.act(path, {'lock': lock_vs_suspend.LEVEL})
        self._held, self._entry = self._read(_STACK), self._read(_LOCK)
        measured.act(path, {'unlock': None})
        self._count = 1
        self._add([self._held] * locked)

    def grow(self, stacks):
        """Add unlocked stacks up to a total number."""
        self._add([self._free] * (stacks - self._count))
        # As it is in a cloud, where nobody adds as many in a minute.
        analyze = ('ANALYZE' if self._engine.dialect.name == 'postgresql'
                   else f'ANALYZE TABLE {_STACK}, {_LOCK}')
        with self._engine.connect() as connection:
            connection.exec_driver_sql(analyze)

    def _add(self, rows):
        for start in range(0, len(rows), _BATCH):
            added = [self._copy(row) for row in rows[start:start + _BATCH]]
            self._insert(_STACK, added)
            self._insert(_LOCK, [
                {**self._entry, 'id': row['lock_id'], 'stack_id': row['id']}
                for row in added if row['lock_id']])

    def _copy(self, row):
        self._count += 1
        new = {'id': uuidutils.generate_uuid(), 'name': 's%d' % self._count,
               'current_traversal': uuidutils.generate_uuid()}
        if row['lock_id']:
            new['lock_id'] = uuidutils.generate_uuid()
        return {**row, **new}

    def _read(self, name):
        with self._engine.connect() as connection:
            [row] = connection.execute(
                sqlalchemy.select(self._tables.tables[name])).mappings()
            return dict(row)

    def _insert(self, name, rows):
        if rows:
            with self._engine.connect() as connection:
                connection.execute(sqlalchemy.insert(
                    self._tables.tables[name]).values(rows))
