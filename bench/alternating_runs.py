# SPDX-License-Identifier: Apache-2.0

"""The processor time of stack operations, in short alternating runs.

``python -m bench.alternating_runs [--runs N] [--rounds N] MariaDB`` starts one
Heat after another: without heat-extras, with all features, and again without.
Each Heat runs alone on a new database, in a changing order. The output has the
medians of the runs by operation, and their differences from the first Heat
without heat-extras. The difference between the two Heats without heat-extras
is the error of this measurement.
"""

import statistics

from bench import databases
from bench import progress
from bench import running_heat
from bench import stack_operations

_RUNS, _ROUNDS = 8, 6
# The first rounds of a process fill its caches.
_WARM = 2


def measure(kind, runs, rounds):
    """Return lists with a value for each run, by Heat and operation."""
    names = list(stack_operations.FEATURES)
    samples = {name: {operation: []
                      for operation in stack_operations.OPERATIONS}
               for name in names}
    with databases.Databases(kind) as places:
        for number in range(runs):
            turn = number % len(names)
            for name in names[turn:] + names[:turn]:
                progress.say(f'{kind}: run {number + 1} of {runs}, {name}')
                spent = _run(stack_operations.FEATURES[name], places.new(),
                             number, rounds)
                for operation, seconds in spent.items():
                    samples[name][operation].append(seconds)
    return samples


def _run(features, database, seed, rounds):
    with running_heat.Heat(features, database=database, seed=seed) as measured:
        done = [stack_operations.Round(measured, number)
                for number in range(_WARM + rounds)]
        for each in done:
            for operation in stack_operations.OPERATIONS:
                each.run(operation)
    return {operation: statistics.median(
                each.cpu[operation] for each in done[_WARM:])
            for operation in stack_operations.OPERATIONS}


def format_lines(samples):
    """Return a line of text for each operation."""
    for operation in stack_operations.OPERATIONS:
        medians = {name: statistics.median(each[operation])
                   for name, each in samples.items()}
        bare = medians[stack_operations.BARE]
        pairs = [each / first for each, first in zip(
            samples[stack_operations.EXTENDED][operation],
            samples[stack_operations.BARE][operation], strict=True)]
        yield (f'{operation:8}' + ''.join(
            f'{name} {1000 * seconds:7.1f} ms '
            f'({100 * (seconds / bare - 1):+5.1f} %)  '
            for name, seconds in medians.items())
            + f'by pairs {100 * (min(pairs) - 1):+.1f} to '
            f'{100 * (max(pairs) - 1):+.1f} %')


def main():
    """Print a table for each database."""
    parser = databases.parser('bench.alternating_runs', __doc__, databases.ALL)
    parser.add_argument('--runs', type=int, default=_RUNS,
                        help='of each Heat (default: %(default)s)')
    parser.add_argument('--rounds', type=int, default=_ROUNDS,
                        help='of the operations in each (default: '
                        '%(default)s)')
    arguments = parser.parse_args()
    for kind in arguments.kinds:
        print('\n'.join([kind, *format_lines(measure(
            kind, arguments.runs, arguments.rounds))]), flush=True)


if __name__ == '__main__':
    main()
