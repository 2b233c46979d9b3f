# SPDX-License-Identifier: Apache-2.0

"""Everything that one run measures."""

import contextlib
import dataclasses
import sys
import time
import unittest

from bench import databases
from bench import everyday
from bench import instructions
from bench import listing
from bench import planning
from bench import refusals
from bench import startup
from bench import trees
from bench import views

PARTS = (STARTS, VIEWS, EVERYDAY, INSTRUCTIONS, PLANS, REFUSALS, LISTS,
         TREES) = ('starts', 'views', 'everyday', 'instructions', 'plans',
                   'refusals', 'lists', 'trees')


@dataclasses.dataclass
class Results:
    """What the parts of the benchmark found; so far, while they run.

    :ivar starts: :class:`bench.startup.Outcome`.
    :ivar views: of :func:`bench.views.measure`.
    :ivar rounds: of :func:`bench.everyday.measure`, by kind of database.
    :ivar counted: of :func:`bench.instructions.measure`, the same way.
    :ivar plans: list of :class:`bench.planning.Outcome`.
    :ivar refusals: list of :class:`bench.refusals.Outcome`.
    :ivar lists: list of :class:`bench.listing.Outcome`.
    :ivar trees: list of :class:`bench.trees.Outcome`.
    """

    starts: startup.Outcome | None = None
    views: dict | None = None
    rounds: dict = dataclasses.field(default_factory=dict)
    counted: dict = dataclasses.field(default_factory=dict)
    plans: list = dataclasses.field(default_factory=list)
    refusals: list = dataclasses.field(default_factory=list)
    lists: list = dataclasses.field(default_factory=list)
    trees: list = dataclasses.field(default_factory=list)


def measure(plan, found, parts=PARTS):
    """Run the benchmark.

    :param plan: :class:`bench.plan.Plan`.
    :param found: :class:`Results` to fill, part by part, so that hours of
        measuring are not lost with the last minute.
    :param parts: which of :data:`PARTS`.
    """
    if STARTS in parts:
        found.starts = startup.measure(plan, _say)
    if VIEWS in parts:
        found.views = views.measure(plan, _say)
    if PLANS in parts:
        found.plans = planning.measure(plan, _say)
    for kind in (databases.MARIADB, databases.POSTGRESQL):
        with _left_out_if_missing(kind):
            found.lists += (listing.measure(plan, kind, _say)
                            if LISTS in parts else [])
    for kind in plan.databases:
        with _left_out_if_missing(kind):
            if EVERYDAY in parts:
                found.rounds[kind] = everyday.measure(plan, kind, _say)
            if INSTRUCTIONS in parts and kind != databases.SQLITE:
                with _left_out_if_missing(INSTRUCTIONS):
                    found.counted[kind] = instructions.measure(
                        plan, kind, _say)
            if REFUSALS in parts:
                found.refusals += refusals.measure(plan, kind, _say)
            if TREES in parts:
                found.trees.append(trees.Outcome(kind))
                trees.measure(plan, found.trees[-1], _say)


@contextlib.contextmanager
def _left_out_if_missing(what):
    try:
        yield
    except unittest.SkipTest as error:
        _say('%s is left out: %s' % (what, error))


def _say(what):
    print('%s %s' % (time.strftime('%H:%M:%S'), what), file=sys.stderr,
          flush=True)
