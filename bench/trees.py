# SPDX-License-Identifier: Apache-2.0

"""Lock and unlock of trees, against suspend and resume of bare Heat."""

import collections
import contextlib
import dataclasses
import json
import time

from bench import databases
from bench import figures
from bench import forest
from bench import heat
from bench import server

LEVEL = {'level': 'stacks', 'reason': 'benchmark'}


@dataclasses.dataclass
class Outcome:
    """What was measured on one database.

    :ivar seconds: by way (``lock``, ``unlock``, or verb and way to sleep)
        and size.
    :ivar records: lines of :mod:`bench.recorder` by method and size.
    :ivar given_up: figures of what took too long, keyed like *seconds*.
    """

    database: str
    seconds: dict = dataclasses.field(
        default_factory=lambda: collections.defaultdict(list))
    records: dict = dataclasses.field(
        default_factory=lambda: collections.defaultdict(list))
    given_up: dict = dataclasses.field(default_factory=dict)

    def figure(self, way, size):
        """Return the figure of a way and size, None when there is none."""
        return (figures.measured(self.seconds.get((way, size)))
                or self.given_up.get((way, size)))

    def recorded(self, way, size, name):
        """Return what was recorded of the engine's method, as figures."""
        return [record[name] for record in self.records[(way, size)]]


def measure(plan, outcome, say):
    """Measure on one database.

    :param outcome: :class:`Outcome` to fill.
    :param say: called with what is going on, for the impatient.
    """
    with databases.Databases(outcome.database) as places, heat.Heat(
            'all', database=places.new()) as guarded:
        grown = forest.Forest(guarded)
        paths = {size: grown.add(size) for size in plan.sizes}
        for sleeps, sizes in plan.suspended.items():
            # Between the parts, so that all see the machine's moods.
            _lock_all(outcome, plan.locks, guarded, paths, say)
            with heat.Heat('', sleeps, places.new()) as bare:
                _suspend_all(outcome, plan, sleeps, sizes, bare, say)
        _lock_all(outcome, plan.locks, guarded, paths, say)


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
    # The engine writes it before it answers.
    with open(guarded.record) as source:
        record = json.loads(source.readlines()[-1])
    assert record['method'] == method, record
    return record


def _suspend_all(outcome, plan, sleeps, sizes, bare, say):
    grown = forest.Forest(bare)
    with contextlib.suppress(heat.TooSlow, heat.Failed):
        for size, count in sizes.items():
            path = grown.add(size)
            say('%s: suspend %d nested, sleeps: %s'
                % (outcome.database, size, sleeps))
            for _ in range(count):
                for verb in ('suspend', 'resume'):
                    _go(outcome, (verb, sleeps), size, bare, path,
                        plan.patience, say)


def _go(outcome, way, size, bare, path, patience, say):
    verb = way[0]
    started = time.perf_counter()
    bare.act(path, {verb: None})
    try:
        bare.wait(path, verb.upper(), patience)
    except (heat.TooSlow, heat.Failed) as error:
        # Nothing more can be measured on this Heat.
        say(str(error))
        outcome.given_up[(way, size)] = figures.Figure(
            time.perf_counter() - started,
            figures.FAILED if isinstance(error, heat.Failed)
            else figures.GIVEN_UP)
        raise
    outcome.seconds[(way, size)].append(time.perf_counter() - started)
    bare.settle(path)


def extrapolate(outcome, sizes):
    """Fill in what Heat as installed takes for trees that are too large.

    It sleeps a second per nested stack, so its time grows with the number.
    """
    for verb in ('suspend', 'resume'):
        way = (verb, server.AS_INSTALLED)
        known = [size for size in sizes if outcome.seconds.get((way, size))]
        for size in sizes:
            if known and size > known[-1]:
                outcome.given_up[(way, size)] = figures.extrapolated(
                    outcome.figure(way, known[-1]), size / known[-1])
