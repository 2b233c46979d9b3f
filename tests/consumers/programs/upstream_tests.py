# SPDX-License-Identifier: Apache-2.0

"""Run test modules in their own environment.

Usage: ``upstream_tests.py TARGET MODULE...``

The result of each test is written to a file as JSON, by its ID, with the
errors of failed tests, and the number of responses by status.
"""

import collections
import json
import sys
import unittest

import requests

_MOST_TOLD = 6000


class Result(unittest.TestResult):
    """Record the result of each test, and print the errors.

    :param keep: called with this after each test: some take an hour in all.
    """

    def __init__(self, keep=lambda result: None):
        super().__init__()
        self._keep = keep
        self.found = {}
        self.said = collections.defaultdict(list)

    def stopTest(self, test):
        super().stopTest(test)
        self._keep(self)

    def addSuccess(self, test):
        self.found.setdefault(test.id(), 'passed')

    def addFailure(self, test, error=None, details=None):
        self._bad(test, error, details)

    def addError(self, test, error=None, details=None):
        self._bad(test, error, details)

    def addSkip(self, test, reason=None, details=None):
        self.found[test.id()] = 'skipped'

    def addExpectedFailure(self, test, error=None, details=None):
        self.found[test.id()] = 'passed'

    def addUnexpectedSuccess(self, test, details=None):
        self.found[test.id()] = 'failed'

    def _bad(self, test, error, details):
        self.found[test.id()] = 'failed'
        # Logs are also attached, under other names.
        texts = [self._exc_info_to_string(error, test)] if error else [
            each.as_text() for name, each in details.items()
            if 'traceback' in name]
        self.said[test.id()] += [each[-_MOST_TOLD:] for each in texts]
        print(test.id(), *texts, sep='\n', flush=True)


class Answers:
    """Count the statuses of all responses of all clients."""

    def __init__(self):
        self.counted = collections.Counter()
        self._send = requests.Session.send
        requests.Session.send = lambda session, request, **options: (
            self._count(self._send(session, request, **options)))

    def _count(self, answer):
        self.counted[answer.status_code] += 1
        return answer


def main():
    target, *modules = sys.argv[1:]
    answers = Answers()
    loader = unittest.TestLoader()
    tests = loader.loadTestsFromNames(modules)
    if loader.errors:
        # Without this, each test would fail on any Heat.
        sys.exit('\n'.join(loader.errors))

    def keep(result):
        with open(target, 'w') as written:
            json.dump({'found': result.found, 'said': result.said,
                       'answers': answers.counted}, written, indent=1,
                      sort_keys=True)

    result = Result(keep)
    tests.run(result)
    # Also if there was no test.
    keep(result)


if __name__ == '__main__':
    main()
