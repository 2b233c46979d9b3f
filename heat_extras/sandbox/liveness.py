# SPDX-License-Identifier: Apache-2.0

"""Whether a process is active, for waits that do not depend on the clock.

A slow or busy machine needs ten times as long for the same work. So a wait
continues while the process uses the processor or writes to its log, and ends
if it does neither.
"""

import os
import time

IDLE_SECONDS = 300
# For a process that is active and does not come to an end.
LIMIT_SECONDS = 3600
# Reading the state of all processes takes some milliseconds.
_INTERVAL = 1
# If the waiting process was suspended, the other one was, too.
_LONGEST_INTERVAL = 10
# In /proc/PID/stat behind the name: ppid, pgrp, utime and stime.
_PARENT, _GROUP, _USER, _SYSTEM = 1, 2, 11, 12


class Stuck(Exception):
    """A process is not active, or has been for too long; says which."""


class Liveness:
    """Watch a process, its children, and the group that it leads.

    :param paths: of its logs, which grow while it is active
    :param idle_seconds: how long it may be inactive
    :param limit_seconds: how long it may be active
    """

    def __init__(self, pid, paths=(), idle_seconds=IDLE_SECONDS,
                 limit_seconds=LIMIT_SECONDS):
        self._pid = pid
        self._paths = list(paths)
        self._idle_seconds = idle_seconds
        self._limit_seconds = limit_seconds
        self._checked = time.monotonic()
        self._waited = self._idle = 0.0
        self._work = self._measure()

    def check(self):
        """Call this again and again while you wait.

        :raises Stuck: if there is no reason to wait any longer
        """
        now = time.monotonic()
        passed = min(now - self._checked, _LONGEST_INTERVAL)
        if passed < min(_INTERVAL, self._idle_seconds):
            return
        self._checked = now
        self._waited += passed
        self._idle += passed
        work = self._measure()
        if work != self._work or work is None:
            self._work, self._idle = work, 0
        if self._waited > self._limit_seconds:
            raise Stuck('it is active, but was not done after %d seconds'
                        % self._limit_seconds)
        if self._idle >= self._idle_seconds:
            raise Stuck('it did not use the processor and did not write '
                        'anything for %d seconds' % self._idle_seconds)

    def _measure(self):
        """Return a number that changes with work; None where it is unknown."""
        ticks = processor_ticks(self._pid)
        sizes = [os.path.getsize(path) for path in self._paths
                 if os.path.exists(path)]
        if ticks is None and not sizes:
            return None
        return (ticks or 0) + sum(sizes)


def processor_ticks(pid):
    """Return the processor time of a process, its children and its group.

    :returns: in ticks of the clock; None where there is no /proc
    """
    try:
        numbers = [name for name in os.listdir('/proc') if name.isdigit()]
    except OSError:
        return None
    states = {int(number): _state(number) for number in numbers}
    return sum(int(state[_USER]) + int(state[_SYSTEM])
               for number, state in states.items()
               if state and (int(state[_GROUP]) == pid
                             or pid in _ancestry(number, states)))


def _state(number):
    try:
        with open('/proc/%s/stat' % number) as source:
            # The name may have blanks and parentheses.
            return source.read().rpartition(')')[2].split()
    except OSError:
        # It has ended.
        return []


def _ancestry(number, states):
    """Yield the number of a process, of its parent, and so on."""
    while states.get(number):
        yield number
        number = int(states[number][_PARENT])
