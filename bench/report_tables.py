# SPDX-License-Identifier: Apache-2.0

"""The tables of the benchmark."""

import statistics

from bench import medians
from bench import plugin_calls
from bench import server
from bench import stack_operations
from bench import startup
from bench import table

SLEEPS = {
    server.AS_INSTALLED: 'as installed',
    server.NO_LEAF_SLEEPS: 'no second per leaf',
    server.NO_SLEEPS: 'no sleep at all',
}
_PROGRAM = {startup.ABSENT: 'absent', startup.PRESENT: 'on'}


def locks_table(outcomes, sizes):
    """Show lock and unlock of trees."""
    return table.Table(
        'Lock and unlock of whole trees',
        'Medians over HTTP, from the request to the answer, when the whole '
        'tree is locked; level ``stacks``. "Row locks" is the time from the '
        'first statement that locks rows to the end of the commit, measured '
        'in the engine (on SQLite: from the beginning of the transaction). '
        'SQL statements are those of the whole request.',
        ('database', 'nested stacks', 'lock', 'row locks', 'statements',
         'unlock', 'row locks', 'statements', 'runs'),
        [[outcome.database, '{:,d}'.format(size),
          *_lock(outcome, 'lock', size), *_lock(outcome, 'unlock', size),
          str(outcome.median('lock', size).count)]
         for outcome in outcomes for size in sizes
         if outcome.median('unlock', size)])


def _lock(outcome, way, size):
    counts = sorted(set(outcome.recorded(way, size, 'statements')))
    return [str(outcome.median(way, size)),
            str(row_lock_time(outcome, way, size)),
            ' or '.join(str(count) for count in counts)]


def row_lock_time(outcome, way, size):
    """Return the median duration of the row locks of a tree."""
    return medians.compute_median(outcome.recorded(way, size, 'held'))


def suspends_table(outcomes, sizes):
    """Show suspend and resume of the same trees, with lock and unlock."""
    return table.Table(
        'Suspend and resume of the same trees by bare Heat',
        'From the request until the root is complete. Heat as installed '
        'sleeps a second for each leaf that it starts, here for each nested '
        'stack; "no second per leaf" leaves that out, "no sleep at all" is '
        '``heat.engine.scheduler.ENABLE_SLEEP = False``, with which a '
        "parent's threads also ask for their nested stacks without a "
        'pause. "times" compares with lock or unlock of a tree of that size '
        'in the same run. ``~``: extrapolated from the largest tree that '
        'was measured, in proportion to the number of nested stacks. ``>``: '
        'given up after that time.',
        ('database', 'nested stacks', "Heat's sleeps", 'suspend',
         'times lock', 'resume', 'times unlock', 'runs'),
        [row for outcome in outcomes for size in sizes for sleeps in SLEEPS
         for row in _suspend(outcome, size, sleeps)])


def _suspend(outcome, size, sleeps):
    suspend = outcome.median(('suspend', sleeps), size)
    resume = outcome.median(('resume', sleeps), size)
    if suspend is not None:
        yield [outcome.database, '{:,d}'.format(size), SLEEPS[sleeps],
               str(suspend),
               medians.format_ratio(suspend, outcome.median('lock', size)),
               str(resume or ''),
               medians.format_ratio(resume, outcome.median('unlock', size)),
               str(suspend.count or '')]


def rejected_updates_table(outcomes):
    """Show rejected updates, and updates without changes."""
    rows = []
    for outcome in outcomes:
        refused, answered, complete = (
            medians.compute_median(values) for values in (
                outcome.refused, outcome.answered, outcome.complete))
        rows.append([
            outcome.database, outcome.stack, str(refused), str(answered),
            str(complete), medians.format_ratio(answered, refused),
            medians.format_ratio(complete, refused), str(refused.count)])
    return table.Table(
        'A refused update, and an update that changes nothing',
        'Taken in turns, on the same Heat, without its second per leaf. The '
        'update is over when the stack is UPDATE_COMPLETE; what it is '
        'compared with is the 409.',
        ('database', 'stack', 'refused', 'update answered', 'update over',
         'times (answered)', 'times (over)', 'runs'), rows)


def lock_lists_table(outcomes):
    """Show the pages of lists of locks."""
    rows = []
    for outcome in outcomes:
        first, last, page, whole = (
            medians.compute_median(values) for values in (
                outcome.first, outcome.last, outcome.pages, outcome.lists))
        rows.append([
            outcome.database, '{:,d}'.format(outcome.stacks),
            '{:,d}'.format(outcome.limit), str(page), str(first), str(last),
            str(whole),
            ' or '.join(map(str, sorted(outcome.statements))),
            str(page.count)])
    return table.Table(
        'A list of locks, page by page',
        'The %s locked stacks of a project that has them all, over HTTP, '
        'from the first page to the last: medians of all pages, of first and '
        'of last ones, and of whole lists. The other stacks are not locked. '
        'SQL statements are those of the engine for a page.'
        % '{:,d}'.format(outcomes[0].locked),
        ('database', 'stacks', 'on a page', 'page', 'first', 'last',
         'whole list', 'statements', 'pages'), rows)


def plans_table(outcomes):
    """Show the duration of update plans of stacks with policies."""
    rows = []
    for outcome in outcomes:
        planned, previewed, validated = (
            medians.compute_median(values) for values in (
                outcome.planned, outcome.previewed, outcome.validated))
        rows.append([
            '{:,d}'.format(outcome.size), outcome.update, str(planned),
            str(previewed), str(validated),
            medians.format_ratio(validated, planned),
            str(outcome.statements), str(planned.count)])
    return table.Table(
        'Updates of stacks with an update policy on every resource',
        'On SQLite. Each update is refused by one more policy, so that '
        'nothing but the plan comes after the validation. Heat validates '
        'the update before it is planned, in the same call.',
        ('resources', 'the update changes', 'planned', 'plan of a preview',
         'validated by Heat',
         'times', 'statements', 'runs'), rows)


def operations_table(by_kind):
    """Show the overhead for unlocked stacks."""
    return table.Table(
        'Operations on stacks that are not locked',
        'Each operation on one Heat after the other: bare, with all '
        'features, and a second bare one, in several processes of each. '
        'Differences are medians of the ratios to the mean of both bare ones '
        'in each round; "noise" is the second bare Heat against the first. '
        'Times are until the stack is complete (show and list: of '
        '%d requests); CPU is what the process of Heat used, with what it '
        'does after that. oslo.db opens a new connection for each '
        'transaction on SQLite, which then reads the whole schema: our '
        'columns and tables show there, and on no other database.'
        % stack_operations.READS,
        ('database', 'operation', 'bare', 'with', 'difference', 'noise',
         'CPU bare', 'CPU with', 'difference', 'noise', 'rounds'),
        [[kind, operation, *_compared(rounds, operation, 'seconds'),
          *_compared(rounds, operation, 'cpu'),
          str(len(rounds[stack_operations.BARE]))]
         for kind, rounds in by_kind.items()
         for operation in stack_operations.OPERATIONS])


def instructions_table(by_kind):
    """Show the same overhead in processor instructions."""
    return table.Table(
        'Instructions of the processor',
        'For the same operations, as valgrind counts them in the process of '
        'Heat, with what it does after each. Other work on the machine does '
        'not change them much. Python does not collect garbage meanwhile, '
        'for a full turn costs as much as an operation, and falls on another '
        'one each time.',
        ('database', 'operation', 'bare', 'with', 'difference', 'noise',
         'rounds'),
        [[kind, operation,
          *_compared(rounds, operation, 'instructions',
                     medians.format_millions),
          str(len(rounds[stack_operations.BARE]))]
         for kind, rounds in by_kind.items()
         for operation in stack_operations.OPERATIONS])


def _compared(rounds, operation, name, show=medians.format_seconds):
    values = {heat: [getattr(done, name)[operation] for done in outcome]
              for heat, outcome in rounds.items()}
    bare = values[stack_operations.BARE]
    return [show(statistics.median(bare)),
            show(statistics.median(values[stack_operations.EXTENDED])),
            medians.format_percent(overhead_ratio(rounds, operation, name)),
            medians.format_percent(medians.median_ratio(
                values[stack_operations.CONTROL], bare))]


def overhead_ratio(rounds, operation, name):
    """Return the median ratio of an operation with and without."""
    extended, bare, control = (
        [getattr(done, name)[operation] for done in rounds[heat]]
        for heat in (stack_operations.EXTENDED, stack_operations.BARE,
                     stack_operations.CONTROL))
    return medians.median_ratio(extended, [
        statistics.mean(both) for both in zip(bare, control, strict=True)])


def starts_table(outcome):
    """Show the start of heat-engine."""
    return table.Table(
        'Start of heat-engine',
        "Heat's own program with one worker, on SQLite: until it has "
        "reported itself in Heat's table of services; memory (proportional "
        'set size) of parent and worker two seconds later.',
        ('heat-extras', 'start', 'memory', 'runs'),
        [[_PROGRAM[way], str(medians.compute_median(outcome.seconds[way])),
          '%.1f MiB' % statistics.median(outcome.memory[way]),
          str(len(outcome.seconds[way]))]
         for way in (startup.ABSENT, startup.PRESENT)])


def plugin_calls_table(seconds, resources):
    """Show the duration of a call of a lifecycle plugin."""
    bare = medians.compute_median(seconds[plugin_calls.BARE])
    return table.Table(
        'A call of a lifecycle plugin',
        'Which reads a property of each of {:,d} resources of a stack: by a '
        'read-only view, as it is done; by a copy of its template and a '
        'stack built of it, as there is no other way to copy one; and from '
        'the stack itself, which it could change then.'.format(resources),
        ('stack is shown', 'call', 'times', 'calls'),
        [[way, str(medians.compute_median(samples)),
          medians.format_ratio(medians.compute_median(samples), bare),
          str(len(samples))]
         for way, samples in seconds.items()])
