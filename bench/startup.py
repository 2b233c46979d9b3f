# SPDX-License-Identifier: Apache-2.0

"""The start time and memory of heat-engine.

This is Heat's own program with one worker, with heat-extras turned on and
with heat-extras absent, as far as Python can tell.
"""

import dataclasses
import os
import sys
import time

import fixtures
import psutil
import sqlalchemy

from bench import running_heat
from heat_extras.sandbox import state_directory
from tests.harness import process

ABSENT, PRESENT = 'absent', 'present'

_SECONDS = 90
_POLL_SECONDS = 0.005
_REST_SECONDS = 2
_PROGRAMS = {
    PRESENT: 'from heat.cmd import engine; engine.main()',
    # Heat logs that the entry point cannot be loaded, and continues.
    ABSENT: 'import sys; sys.modules["heat_extras"] = None; '
            'from heat.cmd import engine; engine.main()',
}


@dataclasses.dataclass
class Outcome:
    """Seconds and MiB with and without heat-extras."""

    seconds: dict = dataclasses.field(
        default_factory=lambda: {ABSENT: [], PRESENT: []})
    memory: dict = dataclasses.field(
        default_factory=lambda: {ABSENT: [], PRESENT: []})


def measure(workload, say):
    """Start engines on the database of a Heat that was stopped.

    :returns: :class:`Outcome`.
    """
    outcome = Outcome()
    with running_heat.Heat('all') as stopped, fixtures.TempDir() as place:
        stopped.stop()
        # The first starts compile Python files, and do not count.
        for number in range(workload.starts + 1):
            for way in _PROGRAMS:
                say('start of an engine, heat-extras %s, %d of %d'
                    % (way, number, workload.starts))
                seconds, memory = _start(way, stopped, place.path)
                if number:
                    outcome.seconds[way].append(seconds)
                    outcome.memory[way].append(memory)
    return outcome


def _start(way, stopped, place):
    """Start an engine, and stop it again.

    :returns: the seconds until it has reported itself, and its MiB.
    """
    known = _engines(stopped.database)
    engine = process.Process('heat-engine', [
        sys.executable, '-c', _PROGRAMS[way], '--config-file',
        os.path.join(stopped.state, state_directory.CONFIG_FILE),
        '--config-file', stopped.settings], os.path.join(place, 'output'))
    started = time.perf_counter()
    engine.launch()
    try:
        engine.wait_until(
            'to report itself', lambda: _engines(stopped.database) - known,
            seconds=_SECONDS, longest=_POLL_SECONDS)
        seconds = time.perf_counter() - started
        time.sleep(_REST_SECONDS)
        return seconds, _memory(engine.pid)
    finally:
        engine.kill()


def _engines(database):
    with database.connect() as connection:
        return set(connection.scalars(
            sqlalchemy.text('SELECT engine_id FROM service')))


def _memory(pid):
    """Add up the memory of a process and its children, in MiB.

    What they share counts once (proportional set size).
    """
    parent = psutil.Process(pid)
    return sum(each.memory_full_info().pss
               for each in [parent, *parent.children(recursive=True)]
               ) / 2 ** 20
