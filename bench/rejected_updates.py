# SPDX-License-Identifier: Apache-2.0

"""A rejected update, compared with an update without changes."""

import dataclasses
import time

from bench import databases
from bench import lock_vs_suspend
from bench import running_heat
from bench import stack_trees
from bench import templates

NESTED = 10


@dataclasses.dataclass
class Outcome:
    """Durations in seconds, pair by pair.

    :ivar refused: until the 409.
    :ivar answered: until the 202 of an update that changes nothing.
    :ivar complete: until that update is UPDATE_COMPLETE.
    """

    database: str
    stack: str
    refused: list = dataclasses.field(default_factory=list)
    answered: list = dataclasses.field(default_factory=list)
    complete: list = dataclasses.field(default_factory=list)


def measure(workload, kind, say):
    """Measure on one database: a small stack and a tree.

    Heat does not sleep its second per leaf here, which would only make an
    update slower.

    :returns: a list of :class:`Outcome`.
    """
    with databases.Databases(kind) as places, running_heat.Heat(
            'all', database=places.new()) as guarded:
        small = {'template': templates.SMALL}
        tree = stack_trees.request_body(NESTED)
        cases = [('3 resources', small, _twice(guarded, 'small', small)),
                 ('%d nested' % NESTED, tree,
                  _twice(guarded, 'tree', tree))]
        return [_compare(Outcome(kind, name), workload, guarded, body, paths,
                         say)
                for name, body, paths in cases]


def _twice(guarded, name, body):
    """Create two stacks, and lock the second one."""
    paths = [guarded.create(name + end, **body) for end in ('-free', '-held')]
    for path in paths:
        guarded.settle(path)
    guarded.act(paths[1], {'lock': lock_vs_suspend.LEVEL})
    return paths


def _compare(outcome, workload, guarded, body, paths, say):
    say('%s: refuse updates, %s' % (outcome.database, outcome.stack))
    free, held = paths
    for _ in range(workload.rejected_updates):
        started = time.perf_counter()
        guarded.request('PUT', held, 409, json=body)
        outcome.refused.append(time.perf_counter() - started)
        started = time.perf_counter()
        guarded.request('PUT', free, 202, json=body)
        outcome.answered.append(time.perf_counter() - started)
        guarded.wait(free, 'UPDATE')
        outcome.complete.append(time.perf_counter() - started)
        guarded.settle(free)
    return outcome
