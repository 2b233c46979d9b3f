# SPDX-License-Identifier: Apache-2.0

"""Target values and measured values."""

import collections
import statistics

from bench import medians
from bench import report_tables
from bench import server
from bench import stack_operations
from bench import startup
from bench import table

_LOCK_SECONDS, _HELD_SECONDS = 1, 0.2
_TIMES = {server.AS_INSTALLED: 100, server.NO_LEAF_SLEEPS: 10}
_REFUSED_TIMES = 10
_PERCENT = 1.02
# The limit with 50 times as many stacks.
_LISTED = 1.5
_START_SECONDS, _START_MEMORY = 0.5, 5
_LABELS = {'seconds': 'time', 'cpu': 'CPU', 'instructions': 'instructions'}


def summary(results, largest):
    """Show each target with its measured value.

    :param results: :class:`bench.results.Results`.
    :param largest: the size of the largest tree.
    """
    rows = [*_trees(results.trees, largest),
            *_rejected_updates(results.rejected_updates)]
    rows += [*_lists(results.lists), *_plans(results.plans)]
    for kind, rounds in results.operations.items():
        rows += _operations(kind, rounds, ('seconds', 'cpu'))
    for kind, rounds in results.instructions.items():
        rows += _operations(kind, rounds, ('instructions',))
    if results.starts:
        rows += _starts(results.starts)
    return table.Table(
        'Targets', 'Medians; the details are below.',
        ('target', 'where', 'wanted', 'found', 'reached'), rows)


def _row(target, where, wanted, measured, is_reached):
    return [target, where, wanted, measured, 'yes' if is_reached else 'no']


def _trees(outcomes, size):
    for outcome in outcomes:
        if outcome.median('unlock', size) is None:
            continue
        where = '%s, %s nested' % (outcome.database, '{:,d}'.format(size))
        for verb in ('lock', 'unlock'):
            median = outcome.median(verb, size)
            yield _row(verb, where, 'under 1 s', str(median),
                       median.value < _LOCK_SECONDS)
            median = report_tables.row_lock_time(outcome, verb, size)
            yield _row('row locks of ' + verb, where, 'under 200 ms',
                       str(median), median.value < _HELD_SECONDS)
            yield _statements(outcome, verb)
        yield from _times(outcome, size, where)


def _statements(outcome, verb):
    counts = sorted({record['statements']
                    for (method, _), records in outcome.records.items()
                    if method == verb for record in records})
    return _row('SQL statements of ' + verb,
                '%s, all sizes' % outcome.database, 'constant',
                ' or '.join(map(str, counts)), len(counts) == 1)


def _times(outcome, size, where):
    for sleeps, wanted in _TIMES.items():
        for slow, quick in (('suspend', 'lock'), ('resume', 'unlock')):
            median = outcome.median((slow, sleeps), size)
            if median is not None and median.kind != medians.FAILED:
                own = outcome.median(quick, size)
                yield _row('%s against %s, %s' % (
                    quick, slow, report_tables.SLEEPS[sleeps]), where,
                    '%d times' % wanted, medians.format_ratio(median, own),
                    median.value / own.value >= wanted)


def _rejected_updates(outcomes):
    for outcome in outcomes:
        slow, quick = (medians.compute_median(values) for values in (
            outcome.complete, outcome.refused))
        yield _row('refused against no-change update',
                   '%s, %s' % (outcome.database, outcome.stack),
                   '%d times' % _REFUSED_TIMES,
                   medians.format_ratio(slow, quick),
                   slow.value / quick.value >= _REFUSED_TIMES)


def _lists(outcomes):
    by_stacks = collections.defaultdict(list)
    for outcome in outcomes:
        by_stacks[outcome.database, outcome.limit].append(outcome)
    for (database, limit), pair in by_stacks.items():
        few, many = (medians.compute_median(outcome.pages)
                     for outcome in (pair[0], pair[-1]))
        yield _row(
            'page of locks, among %s against %s stacks' % tuple(
                '{:,d}'.format(outcome.stacks)
                for outcome in (pair[-1], pair[0])),
            '%s, %s on a page' % (database, '{:,d}'.format(limit)),
            'within 50 %', medians.format_percent(many.value / few.value),
            many.value / few.value <= _LISTED)


def _plans(outcomes):
    for outcome in outcomes:
        validated = medians.compute_median(outcome.validated)
        for name, values in (('plan of an update', outcome.planned),
                             ('plan of a preview', outcome.previewed)):
            planned = medians.compute_median(values)
            yield _row(f'{name}, against its validation',
                       'SQLite, %s resources, %s changed' % (
                           '{:,d}'.format(outcome.size), outcome.update),
                       'less', medians.format_ratio(validated, planned),
                       planned.value < validated.value)


def _operations(kind, rounds, names):
    for name in names:
        for operation in stack_operations.OPERATIONS:
            ratio = report_tables.overhead_ratio(rounds, operation, name)
            yield _row('%s, %s' % (operation, _LABELS[name]),
                       '%s, not locked' % kind, 'within 2 %',
                       medians.format_percent(ratio), ratio <= _PERCENT)


def _starts(outcome):
    seconds, memory = (
        statistics.median(values[startup.PRESENT])
        - statistics.median(values[startup.ABSENT])
        for values in (outcome.seconds, outcome.memory))
    yield _row('start of an engine', 'SQLite', '+0.5 s at most',
               '%+.2f s' % seconds, seconds <= _START_SECONDS)
    yield _row('memory of an engine', 'SQLite', '+5 MiB at most',
               '%+.1f MiB' % memory, memory <= _START_MEMORY)
