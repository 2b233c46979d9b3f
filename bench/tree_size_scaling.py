# SPDX-License-Identifier: Apache-2.0

"""The duration of requests to a locked tree by the size of the tree.

``python -m bench.tree_size_scaling [SQLite MariaDB PostgreSQL]`` measures
trees of up to 1,000 nested stacks and 10,000 resources, which are written
directly to the database. The output has medians and exponents. An exponent is
the power of the tree's size by which the duration of a request grows: 1 means
proportional. Times on a busy machine are not reliable, and processor times are
better. The script checks no limits.
"""

import collections
import contextlib
import math
import statistics
import time

from bench import databases
from bench import progress
from bench import running_heat
from bench import stack_trees

_SIZES = (100, 300, 1000)
_WIDTH = 10
_ROUNDS = 5


def _requests(path):
    """Return method, path, status and body of the requests, in order."""
    actions = path + '/actions'
    return {
        'lock': ('POST', actions, 200, {'lock': {'level': 'stacks'}}),
        'show': ('GET', path, 200, None),
        'guards': ('GET', path + '/guards', 200, None),
        'refused update': ('PATCH', path, 409, {}),
        'unlock': ('POST', actions, 200, {'unlock': None})}


def _of_bare_heat(path):
    return {'show, bare Heat': ('GET', path, 200, None)}


def measure(kind):
    """Return, by request, medians in the order of the sizes.

    A bare Heat is asked in turns with one that has heat-extras.

    :returns: seconds, and seconds of the processor that Heat needed.
    """
    samples = collections.defaultdict(list), collections.defaultdict(list)
    with databases.Databases(kind) as places, \
            contextlib.ExitStack() as running:
        grown = []
        for features, requests in ('all', _requests), ('', _of_bare_heat):
            measured = running.enter_context(
                running_heat.Heat(features, database=places.new()))
            grown.append((stack_trees.StackTrees(measured), measured,
                          requests))
        for size in _SIZES:
            progress.say(f'{kind}: {size} nested, {size * _WIDTH} resources')
            asked = {name: (each, request) for trees, each, requests in grown
                     for name, request in requests(
                         trees.add_tree(size, _WIDTH)).items()}
            for medians, more in zip(samples, _measure(asked), strict=True):
                for name, seconds in more.items():
                    medians[name].append(seconds)
    return samples


def _measure(asked):
    """Return the medians of each request: seconds, and of the processor."""
    spent = {name: [] for name in asked}
    for _ in range(_ROUNDS):
        for name, (measured, (method, url, wanted, body)) in asked.items():
            cpu, started = measured.processor_seconds(), time.perf_counter()
            measured.request(method, url, wanted, json=body)
            spent[name].append((time.perf_counter() - started,
                                measured.processor_seconds() - cpu))
    return [{name: statistics.median(each[kind] for each in pairs)
             for name, pairs in spent.items()} for kind in (0, 1)]


def exponent(medians):
    """Return by which power of the size they grow, over all sizes."""
    return statistics.linear_regression(
        [math.log(size) for size in _SIZES],
        [math.log(median) for median in medians]).slope


def main():
    """Print a table for each database, once it is measured."""
    parser = databases.parser('bench.tree_size_scaling', __doc__,
                              databases.ALL)
    for kind in parser.parse_args().kinds:
        for title, seconds in zip(('time', 'processor'), measure(kind),
                                  strict=True):
            _print_table(f'{kind}, {title}', seconds)


def _print_table(title, seconds):
    print(f'{title:22}' + ''.join(
        f'{size:>8} nested' for size in _SIZES) + '  exponent')
    for name, medians in seconds.items():
        print(f'{name:22}' + ''.join(
            f'{1000 * each:12.1f} ms' for each in medians)
            + f'{exponent(medians):10.2f}', flush=True)


if __name__ == '__main__':
    main()
