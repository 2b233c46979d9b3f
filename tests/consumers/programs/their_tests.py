# SPDX-License-Identifier: Apache-2.0

"""Run test modules, in their own environment: their_tests.py TARGET MODULE...

What became of each test is written to a file as JSON, by its id.
"""

import json
import sys
import unittest


class Result(unittest.TestResult):
    """Remember what became of each test; what went wrong is printed."""

    def __init__(self):
        super().__init__()
        self.found = {}

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

    def _bad(self, test, error, details):
        self.found[test.id()] = 'failed'
        told = (self._exc_info_to_string(error, test) if error else
                '\n'.join(each.as_text() for each in details.values()))
        print(f'{test.id()}\n{told[-3000:]}', flush=True)


def main():
    target, *modules = sys.argv[1:]
    result = Result()
    unittest.defaultTestLoader.loadTestsFromNames(modules).run(result)
    with open(target, 'w') as written:
        json.dump(result.found, written, indent=1, sort_keys=True)


if __name__ == '__main__':
    main()
