# SPDX-License-Identifier: Apache-2.0

"""Lock and unlock of trees, compared with suspend and resume."""

import collections
import contextlib
import dataclasses
import json
import time

from bench import databases
from bench import medians
from bench import running_heat
from bench import server
from bench import stack_trees

LEVEL = {'level': 'stacks', 'reason': 'benchmark'}


@dataclasses.dataclass
class Outcome:
    """The measurements on one database.

    :ivar seconds: by way (``lock``, ``unlock``, or verb and way to sleep)
        and size.
    :ivar records: lines of :mod:`bench.recorder` by method and size.
    :ivar given_up: medians of what took too long, keyed like *seconds*.
    """

    database: str
    seconds: dict = dataclasses.field(
        default_factory=lambda: collections.defaultdict(list))
    records: dict = dataclasses.field(
        default_factory=lambda: collections.defaultdict(list))
    given_up: dict = dataclasses.field(default_factory=dict)

    def median(self, way, size):
        """Return the median of a way and size, or None."""
        return (medians.compute_median(self.seconds.get((way, size)))
                or self.given_up.get((way, size)))

    def recorded(self, way, size, name):
        """Return the recorded values of the engine's method."""
        return [record[name] for record in self.records[(way, size)]]


def measure(workload, outcome, say):
    """Measure on one database.

    :param outcome: :class:`Outcome` to fill.
    :param say: called with what is going on.
    """
    with databases.Databases(outcome.database) as places, running_heat.Heat(
            'all', database=places.new()) as guarded:
        trees = stack_trees.StackTrees(guarded)
        paths = {size: trees.add_tree(size) for size in workload.sizes}
        for sleeps, sizes in workload.suspended.items():
            # Between the parts, so that the load is similar for all.
            _lock_all(outcome, workload.locks, guarded, paths, say)
            with running_heat.Heat('', sleeps, places.new()) as bare:
                _suspend_all(outcome, workload, sleeps, sizes, bare, say)
        _lock_all(outcome, workload.locks, guarded, paths, say)


def _lock_all(outcome, count, guarded, paths, say):
    for size, path in paths.items():
        say('%s: lock %d nested' % (outcome.database, size))
        for _ in range(count):
            for verb, body in (('lock', LEVEL), ('unlock', None)):
                started = time.perf_counter()
                guarded.act(path, {verb: body})
                outcome.seconds[(verb, size)].append(
                    time.perf_counter() - started)
                outcome.records[(verb, size)].append(
                    _last_record(guarded, 'stack_' + verb))


def _last_record(guarded, method):
    # The engine writes it before its response.
    with open(guarded.record) as source:
        record = json.loads(source.readlines()[-1])
    assert record['method'] == method, record
    return record


def _suspend_all(outcome, workload, sleeps, sizes, bare, say):
    trees = stack_trees.StackTrees(bare)
    with contextlib.suppress(running_heat.TooSlow, running_heat.Failed):
        for size, count in sizes.items():
            path = trees.add_tree(size)
            say('%s: suspend %d nested, sleeps: %s'
                % (outcome.database, size, sleeps))
            for _ in range(count):
                for verb in ('suspend', 'resume'):
                    _suspend_or_resume(outcome, (verb, sleeps), size, bare,
                                       path, workload.timeout, say)


def _suspend_or_resume(outcome, way, size, bare, path, timeout, say):
    verb = way[0]
    started = time.perf_counter()
    bare.act(path, {verb: None})
    try:
        bare.wait(path, verb.upper(), timeout)
    except (running_heat.TooSlow, running_heat.Failed) as error:
        # Further measurements on this Heat are not possible.
        say(str(error))
        outcome.given_up[(way, size)] = medians.Median(
            time.perf_counter() - started,
            medians.FAILED if isinstance(error, running_heat.Failed)
            else medians.TIMED_OUT)
        raise
    outcome.seconds[(way, size)].append(time.perf_counter() - started)
    bare.settle(path)


def extrapolate(outcome, sizes):
    """Extrapolate the time of Heat for trees that are too large.

    It sleeps a second per nested stack, so its time grows with the number.
    """
    for verb in ('suspend', 'resume'):
        way = (verb, server.AS_INSTALLED)
        known = [size for size in sizes if outcome.seconds.get((way, size))]
        for size in sizes:
            if known and size > known[-1]:
                outcome.given_up[(way, size)] = medians.extrapolate(
                    outcome.median(way, known[-1]), size / known[-1])
