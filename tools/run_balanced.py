# SPDX-License-Identifier: Apache-2.0

"""Run tests with stestr, shared out evenly among its workers.

stestr does so by the times of earlier runs, which a fresh checkout does not
have, and whatever the classes need. Here classes that need the same Heat, or
the same servers, go to the same worker, which starts it once, and
``tests/durations.py`` says how long those take that take long.

Usage: run_balanced.py WORKERS [--repo-url DIRECTORY]
           [arguments of "stestr run"]
"""

import argparse
import collections
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

from stestr import selection
import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from tests import durations  # noqa: E402
from tests.harness import suites  # noqa: E402

# Of a test in a class that is not in tests/durations.py.
_SECONDS = collections.defaultdict(lambda: 1, unit=0.1)
# Their tests share the servers of a worker, or its cloud.
_WITH_SERVERS = ('cloud', 'database', 'engines')
# It takes a minute to start: one worker has all of its tests.
_ONCE = 'cloud'


def share(groups, count):
    """Share classes out, and split only groups that are a worker's work.

    :param groups: for each group the seconds, by the name of a class
    :returns: the names for each worker
    """
    most = sum(sum(taken.values()) for taken in groups) / count
    parts = []
    for taken in groups:
        parts += _split(taken, math.ceil(sum(taken.values()) / most))
    return [[name for part in worker_parts for name in part]
            for worker_parts in _evenly(parts, lambda part: sum(part.values()),
                                        count)]


def _split(taken, count):
    return [{name: taken[name] for name in names}
            for names in _evenly(taken, taken.get, count)]


def _evenly(items, size, count):
    shares = [(0, number, []) for number in range(count)]
    for item in sorted(items, key=size, reverse=True):
        total, number, own = min(shares)
        own.append(item)
        shares[shares.index((total, number, own))] = (
            total + size(item), number, own)
    return [own for _, _, own in shares if own]


def grouped(tests):
    """Group the classes of tests by what they need.

    :returns: for each group the seconds, by the name of a class
    """
    groups = collections.defaultdict(collections.Counter)
    for test in tests:
        name = test.id().partition('(')[0].rpartition('.')[0]
        package, _, rest = name.removeprefix('tests.').partition('.')
        if package == _ONCE:
            name, rest = f'tests.{package}', 'ALL'
        known = durations.SECONDS.get(package, {}).get(rest)
        need = suites.heat_of(type(test)) or (
            package if package in _WITH_SERVERS else name)
        if known is None:
            groups[need][name] += _SECONDS[package]
        else:
            groups[need][name] = known
    return list(groups.values())


def _selected(known):
    tests = {test.id(): test for test in suites.each(
        unittest.defaultTestLoader.discover(
            os.path.join(ROOT, 'tests'), top_level_dir=ROOT))}
    return [tests[name] for name in selection.construct_list(
        tests, known.regexes, exclude_list=known.exclude_list,
        exclude_regex=known.exclude_regex)]


def parsed(arguments):
    """Return the arguments for this, and the others, which are stestr's."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('workers', type=int)
    # Of stestr itself, where it keeps its runs.
    parser.add_argument('--repo-url')
    parser.add_argument('--exclude-list')
    parser.add_argument('--exclude-regex')
    parser.add_argument('regexes', nargs='*')
    # A regular expression may follow an option.
    return parser.parse_known_intermixed_args(arguments)


def main(arguments):
    known, more = parsed(arguments)
    tests = _selected(known)
    workers = [{'worker': [f'^{re.escape(name)}[.]' for name in names]}
               for names in share(grouped(tests), known.workers)]
    repository = ['--repo-url', known.repo_url] if known.repo_url else []
    with tempfile.TemporaryDirectory() as directory:
        # With the list at hand stestr does not look for all tests again.
        tests_path = os.path.join(directory, 'tests')
        workers_path = os.path.join(directory, 'workers.yaml')
        with open(tests_path, 'w') as target:
            target.writelines(f'{test.id()}\n' for test in tests)
        with open(workers_path, 'w') as target:
            yaml.safe_dump(workers, target)
        return subprocess.run([
            'stestr', *repository, 'run', '--concurrency', str(known.workers),
            '--load-list', tests_path, '--worker-file', workers_path,
            *more]).returncode


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
