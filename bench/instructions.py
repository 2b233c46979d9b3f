# SPDX-License-Identifier: Apache-2.0

"""The same stack operations, in processor instructions.

The times on a busy machine vary by more than the measured overhead. The counts
of valgrind do not depend on the load of the machine. Garbage collection of
Python is disabled, because a full collection costs as much as an operation,
and runs during a different operation each time. Times and CPU include
collections.
"""

import collections
from concurrent import futures
import re
import shutil
import subprocess
import time
import unittest

from bench import databases
from bench import running_heat
from bench import stack_operations

_VALGRIND, _CONTROL = 'valgrind', 'callgrind_control'
_QUIET_SECONDS = 0.5
_WARM_ROUNDS = 2
_TRIES = 10
_THREAD = re.compile(r'^ *Th *\d+ +([\d,]+)', re.MULTILINE)


class _Round(stack_operations.Round):
    """A round that also counts instructions.

    :ivar instructions: by operation, with what Heat does after it.
    """

    def __init__(self, measured, number, pid):
        super().__init__(measured, number)
        self._pid = pid
        self.instructions = {}

    def run(self, operation):
        before = _count(self._pid)
        super().run(operation)
        time.sleep(_QUIET_SECONDS)
        self.instructions[operation] = _count(self._pid) - before


def measure(workload, kind, say):
    """Measure on one database.

    :returns: as :func:`bench.stack_operations.measure`, of :class:`_Round`.
    :raises unittest.SkipTest: when valgrind is not installed.
    """
    for program in (_VALGRIND, _CONTROL):
        if shutil.which(program) is None:
            raise unittest.SkipTest('found no %s' % program)
    rounds = collections.defaultdict(list)
    with databases.Databases(kind) as places, \
            futures.ThreadPoolExecutor() as threads:
        for seed in range(workload.instruction_seeds):
            say('%s: count instructions, processes %d of %d'
                % (kind, seed + 1, workload.instruction_seeds))
            running = {
                name: threads.submit(_run, workload, features, places.new(),
                                     seed)
                for name, features in stack_operations.FEATURES.items()}
            for name, run in running.items():
                rounds[name] += run.result()
    return rounds


def _run(workload, features, database, seed):
    under = [_VALGRIND, '--tool=callgrind', '--callgrind-out-file=/dev/null',
             '--instr-atstart=no', '--fair-sched=yes', '--log-file=/dev/null']
    with running_heat.Heat(features, database=database, own=['--no-gc'],
                           under=under, seed=seed) as measured:
        pid = str(measured.process.pid)
        stack_operations.create_listed_stacks(measured)
        for number in range(_WARM_ROUNDS):
            warm = stack_operations.Round(measured, -1 - number)
            for operation in stack_operations.OPERATIONS:
                warm.run(operation)
        _ask('-i', 'on', pid)
        rounds = [_Round(measured, number, pid)
                  for number in range(workload.instruction_rounds)]
        for done in rounds:
            for operation in stack_operations.OPERATIONS:
                done.run(operation)
        return rounds


def _count(pid):
    # On a busy machine it says now and then that there is nothing to see.
    for _ in range(_TRIES):
        output = _ask('-e', pid)
        counts = _THREAD.findall(output)
        if counts:
            return sum(int(count.replace(',', '')) for count in counts)
        time.sleep(_QUIET_SECONDS)
    raise AssertionError('found no instructions in what %s says: %r'
                         % (_CONTROL, output))


def _ask(*words):
    return subprocess.run([_CONTROL, *words], check=True,
                          capture_output=True, text=True).stdout
