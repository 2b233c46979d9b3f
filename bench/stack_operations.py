# SPDX-License-Identifier: Apache-2.0

"""The overhead of each operation on unlocked stacks.

Two bare Heats take part: what differs between them is the noise of the
measurement.
"""

import collections
import contextlib
import time

from bench import databases
from bench import running_heat
from bench import templates

OPERATIONS = ('create', 'show', 'list', 'update', 'delete')
BARE, EXTENDED, CONTROL = 'bare', 'extended', 'control'
FEATURES = {BARE: '', EXTENDED: 'all', CONTROL: ''}

_PRESENT = 20
READS = 5


class Round:
    """One round of operations on one Heat, on a new stack.

    :ivar seconds: by operation.
    :ivar cpu: seconds of the processor that Heat needed, by operation.
    """

    def __init__(self, measured, number):
        self._heat = measured
        self._name = 'stack%d' % number
        self.seconds = {}
        self.cpu = {}

    def run(self, operation):
        """Run one operation, in the order of :data:`OPERATIONS`."""
        cpu = self._heat.processor_seconds()
        started = time.perf_counter()
        getattr(self, '_' + operation)()
        self.seconds[operation] = time.perf_counter() - started
        if operation not in ('show', 'list'):
            self._heat.settle(self._path)
        self.cpu[operation] = self._heat.processor_seconds() - cpu

    def _create(self):
        self._path = self._heat.create(self._name, templates.SMALL)

    def _show(self):
        for _ in range(READS):
            self._heat.request('GET', self._path, 200)

    def _list(self):
        for _ in range(READS):
            self._heat.request('GET', '/stacks', 200)

    def _update(self):
        self._heat.request('PUT', self._path, 202, json={
            'template': templates.SMALL, 'parameters': {'value': 'two'}})
        self._heat.wait(self._path, 'UPDATE')

    def _delete(self):
        self._heat.request('DELETE', self._path, 204)
        self._heat.wait(self._path, 'DELETE')


def measure(workload, kind, say):
    """Measure on one database.

    :returns: by name of the Heat, a list of :class:`Round`, without the
        first one of each process.
    """
    rounds = collections.defaultdict(list)
    with databases.Databases(kind) as places:
        for seed in range(workload.operation_seeds):
            say('%s: stack operations, processes %d of %d'
                % (kind, seed + 1, workload.operation_seeds))
            for done in _run(workload, places, seed)[1:]:
                for name, seconds in done.items():
                    rounds[name].append(seconds)
    return rounds


def _run(workload, places, seed):
    with contextlib.ExitStack() as running:
        heats = {name: running.enter_context(running_heat.Heat(
                     features, database=places.new(), seed=seed))
                 for name, features in FEATURES.items()}
        for measured in heats.values():
            create_listed_stacks(measured)
        return [_round(heats, number)
                for number in range(workload.operation_rounds + 1)]


def create_listed_stacks(measured):
    """Create additional stacks for the list."""
    for number in range(_PRESENT):
        measured.create('present%d' % number, templates.SMALL)


def _round(heats, number):
    """Run all operations, each on one Heat after another."""
    runs = {name: Round(measured, number)
            for name, measured in heats.items()}
    names = list(runs)
    # Change the order, so that no Heat is always the first.
    turn = number % len(names)
    for operation in OPERATIONS:
        for name in names[turn:] + names[:turn]:
            runs[name].run(operation)
    return runs
