# SPDX-License-Identifier: Apache-2.0

"""All results of one run."""

import contextlib
import dataclasses
import sys
import time
import unittest

from bench import databases
from bench import instructions
from bench import lock_list
from bench import lock_vs_suspend
from bench import plugin_calls
from bench import rejected_updates
from bench import stack_operations
from bench import startup
from bench import update_planning

PARTS = (STARTS, PLUGIN_CALLS, OPERATIONS, INSTRUCTIONS, PLANS,
         REJECTED_UPDATES, LOCK_LISTS, TREES) = (
    'starts', 'plugin-calls', 'operations', 'instructions', 'plans',
    'rejected-updates', 'lock-lists', 'trees')


@dataclasses.dataclass
class Results:
    """The results of the parts of the benchmark that have ended.

    :ivar starts: :class:`bench.startup.Outcome`.
    :ivar plugin_calls: of :func:`bench.plugin_calls.measure`.
    :ivar operations: of :func:`bench.stack_operations.measure`, by kind of
        database.
    :ivar instructions: of :func:`bench.instructions.measure`, the same way.
    :ivar plans: list of :class:`bench.update_planning.Outcome`.
    :ivar rejected_updates: list of :class:`bench.rejected_updates.Outcome`.
    :ivar lists: list of :class:`bench.lock_list.Outcome`.
    :ivar trees: list of :class:`bench.lock_vs_suspend.Outcome`.
    """

    starts: startup.Outcome | None = None
    plugin_calls: dict | None = None
    operations: dict = dataclasses.field(default_factory=dict)
    instructions: dict = dataclasses.field(default_factory=dict)
    plans: list = dataclasses.field(default_factory=list)
    rejected_updates: list = dataclasses.field(default_factory=list)
    lists: list = dataclasses.field(default_factory=list)
    trees: list = dataclasses.field(default_factory=list)


def measure(workload, results, parts=PARTS):
    """Run the benchmark.

    :param workload: :class:`bench.workload.Workload`.
    :param results: :class:`Results` to fill, part by part, so that hours of
        measuring are not lost with the last minute.
    :param parts: which of :data:`PARTS`.
    """
    if STARTS in parts:
        results.starts = startup.measure(workload, _say)
    if PLUGIN_CALLS in parts:
        results.plugin_calls = plugin_calls.measure(workload, _say)
    if PLANS in parts:
        results.plans = update_planning.measure(workload, _say)
    for kind in (databases.MARIADB, databases.POSTGRESQL):
        with _left_out_if_missing(kind):
            results.lists += (lock_list.measure(workload, kind, _say)
                              if LOCK_LISTS in parts else [])
    for kind in workload.databases:
        with _left_out_if_missing(kind):
            if OPERATIONS in parts:
                results.operations[kind] = stack_operations.measure(
                    workload, kind, _say)
            if INSTRUCTIONS in parts and kind != databases.SQLITE:
                with _left_out_if_missing(INSTRUCTIONS):
                    results.instructions[kind] = instructions.measure(
                        workload, kind, _say)
            if REJECTED_UPDATES in parts:
                results.rejected_updates += rejected_updates.measure(
                    workload, kind, _say)
            if TREES in parts:
                results.trees.append(lock_vs_suspend.Outcome(kind))
                lock_vs_suspend.measure(workload, results.trees[-1], _say)


@contextlib.contextmanager
def _left_out_if_missing(title):
    try:
        yield
    except unittest.SkipTest as error:
        _say('%s is left out: %s' % (title, error))


def _say(text):
    print('%s %s' % (time.strftime('%H:%M:%S'), text), file=sys.stderr,
          flush=True)
