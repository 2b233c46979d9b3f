# SPDX-License-Identifier: Apache-2.0

"""How what one asks of a locked tree grows with the tree.

``python -m bench.growth [SQLite MariaDB PostgreSQL]`` measures trees of up to
1,000 nested stacks and 10,000 resources, written into the database directly,
and prints medians and exponents: by which power of the tree's size a request
takes longer, 1 is in proportion. Times of a busy machine are no promise, and
nothing is asserted.
"""

import math
import statistics
import sys
import time

from bench import databases
from bench import forest
from bench import heat

_SIZES = (100, 300, 1000)
_WIDTH = 10
_ROUNDS = 5


def _requests(path):
    """Return method, path, status and body of what is asked, in order."""
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
    """Return, by request, medians in the order of the sizes."""
    found = {}
    with databases.Databases(kind) as places:
        for features, requests in ('all', _requests), ('', _of_bare_heat):
            with heat.Heat(features, database=places.new()) as measured:
                grown = forest.Forest(measured)
                for size in _SIZES:
                    _say(f'{kind}, features "{features}": {size} nested')
                    asked = requests(grown.add(size, _WIDTH))
                    for name, seconds in _measure(measured, asked).items():
                        found.setdefault(name, []).append(seconds)
    return found


def _measure(measured, asked):
    """Return the median of each request, in seconds."""
    seconds = {name: [] for name in asked}
    for _ in range(_ROUNDS):
        for name, (method, url, wanted, body) in asked.items():
            started = time.perf_counter()
            measured.request(method, url, wanted, json=body)
            seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(each)
            for name, each in seconds.items()}


def exponent(medians):
    """Return by which power of the size they grow, over all sizes."""
    return statistics.linear_regression(
        [math.log(size) for size in _SIZES],
        [math.log(median) for median in medians]).slope


def _say(text):
    print(text, file=sys.stderr, flush=True)


def main(kinds):
    """Print a table for each database, once it is measured."""
    for kind in kinds or (databases.SQLITE, databases.MARIADB,
                          databases.POSTGRESQL):
        found = measure(kind)
        print(f'{kind:16}' + ''.join(
            f'{size:>8} nested' for size in _SIZES) + '  exponent')
        for name, medians in found.items():
            print(f'{name:16}' + ''.join(
                f'{1000 * each:12.1f} ms' for each in medians)
                + f'{exponent(medians):10.2f}', flush=True)


if __name__ == '__main__':
    main(sys.argv[1:])
