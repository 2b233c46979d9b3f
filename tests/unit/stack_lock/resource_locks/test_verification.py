# SPDX-License-Identifier: Apache-2.0

"""What is noted beside what was found."""

from unittest import mock

import testtools

from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock.resource_locks import verification
from tests.unit.stack_lock.resource_locks import fakes


class VerificationTest(testtools.TestCase):
    def test_noted_and_found(self):
        stack = fakes.Stack()
        found = {'a': (states.PROTECTED, None), 'b': (None, None),
                 'c': (states.LOCKING, 'HTTP 503'),
                 'd': (states.FOUND, 'bob has'),
                 'e': (None, None), 'f': (states.FAILED, 'HTTP 403')}
        results = {stack.add(fakes.Resource, name): result
                   for name, result in found.items()}
        rows = {resource.id: mock.Mock(state=states.LOCKING)
                for resource in results}
        rows[stack.resources['a'].id].state = states.PROTECTED
        for name in 'ef':
            rows[stack.resources[name].id].state = states.FOUND
        with mock.patch.object(protection_table, 'of_tree',
                               return_value=rows), \
                mock.patch.object(
                    verification.lock_resources, 'inspect',
                    return_value=report.Report(results, [stack])):
            listed = verification.of_tree(stack.id)
        self.assertEqual([('a', 'protected', 'protected', ''),
                          ('b', 'failed', 'not_protected', ''),
                          ('c', 'failed', 'not_known', 'HTTP 503'),
                          ('d', 'failed', 'found_protected', 'bob has'),
                          ('e', 'found_protected', 'not_protected', ''),
                          ('f', 'found_protected', 'not_known', 'HTTP 403')],
                         [(row[2], *row[-3:]) for row in listed])
