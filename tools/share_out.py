# SPDX-License-Identifier: Apache-2.0

"""Let stestr share out the tests that take long evenly among its workers.

stestr does so by the times of earlier runs, which a fresh checkout does not
have, and otherwise by chance. So it gets a run that consists of one test of
each class in ``tests/seconds.py`` of which it has no time.

Usage: share_out.py PACKAGE ... (those in tests/ that are going to be run)
"""

import datetime
import importlib
import io
import os
import subprocess
import sys
import unittest

from stestr.repository import abstract
from stestr.repository import file
from subunit import v2

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from tests.harness import suites  # noqa: E402
from tests import seconds  # noqa: E402


def write(target, taken):
    """Write the run, in subunit v2.

    :param target: a binary file.
    :param taken: seconds, by the id of a test.
    """
    result = v2.StreamResultToBytes(target)
    begin = datetime.datetime.now(datetime.timezone.utc)
    result.startTestRun()
    for test_id, took in taken.items():
        result.status(test_id, 'inprogress', timestamp=begin)
        result.status(test_id, 'success',
                      timestamp=begin + datetime.timedelta(seconds=took))
    result.stopTestRun()


def first_tests(package, names):
    """Yield the id of one test of each class, with its scenario.

    :param package: the one in ``tests`` where they are.
    :param names: of the classes, with their modules.
    """
    for name in names:
        module, _, kind = f'tests.{package}.{name}'.rpartition('.')
        found = unittest.defaultTestLoader.loadTestsFromModule(
            importlib.import_module(module))
        yield next(test.id() for test in suites.each(found)
                   if type(test).__name__ == kind)


def _without_times(ids):
    try:
        found = file.RepositoryFactory().open(os.getcwd())
    except abstract.RepositoryNotFound:
        return set(ids)
    return found.get_test_times(ids)['unknown']


def main(packages):
    taken = {}
    for package in packages:
        classes = seconds.SECONDS[package]
        taken.update(zip(first_tests(package, classes), classes.values(),
                         strict=True))
    unknown = _without_times(list(taken))
    if not unknown:
        return 0
    run = io.BytesIO()
    write(run, {test_id: took for test_id, took in taken.items()
                if test_id in unknown})
    return subprocess.run(['stestr', 'load', '--force-init'],
                          input=run.getvalue(),
                          stdout=subprocess.DEVNULL).returncode


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
