# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""The same everyday operations, in instructions of the processor.

Times of a busy machine differ by more than what is looked for here; what
valgrind counts does not depend on what else the machine does. Python collects
its garbage in the meantime, which is part of the price.
"""

from concurrent import futures
import re
import shutil
import subprocess
import time
import unittest

from bench import databases
from bench import everyday
from bench import heat

_VALGRIND, _CONTROL = 'valgrind', 'callgrind_control'
_QUIET_SECONDS = 0.5
_WARM_ROUNDS = 3
_THREAD = re.compile(r'^ *Th *\d+ +([\d,]+)', re.MULTILINE)


class _Round(everyday.Round):
    """A round that also counts.

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


def measure(plan, kind, say):
    """Measure on one database.

    :returns: as :func:`bench.everyday.measure`, of :class:`_Round`.
    :raises unittest.SkipTest: when valgrind is not installed.
    """
    for program in (_VALGRIND, _CONTROL):
        if shutil.which(program) is None:
            raise unittest.SkipTest('found no %s' % program)
    say('%s: count instructions, %d rounds' % (kind, plan.counted))
    with databases.Databases(kind) as places, \
            futures.ThreadPoolExecutor() as threads:
        running = {name: threads.submit(_run, plan, features, places.new())
                   for name, features in everyday.FEATURES.items()}
        return {name: run.result() for name, run in running.items()}


def _run(plan, features, database):
    under = [_VALGRIND, '--tool=callgrind', '--callgrind-out-file=/dev/null',
             '--instr-atstart=no', '--fair-sched=yes', '--log-file=/dev/null']
    with heat.Heat(features, database=database, under=under) as measured:
        pid = str(measured.process.pid)
        everyday.fill(measured)
        for number in range(_WARM_ROUNDS):
            warm = everyday.Round(measured, -1 - number)
            for operation in everyday.OPERATIONS:
                warm.run(operation)
        _ask('-i', 'on', pid)
        rounds = [_Round(measured, number, pid)
                  for number in range(plan.counted)]
        for done in rounds:
            for operation in everyday.OPERATIONS:
                done.run(operation)
        return rounds


def _count(pid):
    found = _THREAD.findall(_ask('-e', pid))
    if not found:
        raise AssertionError('found no instructions in what %s says'
                             % _CONTROL)
    return sum(int(count.replace(',', '')) for count in found)


def _ask(*words):
    return subprocess.run([_CONTROL, *words], check=True,
                          capture_output=True, text=True).stdout
