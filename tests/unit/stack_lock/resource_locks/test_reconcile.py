# SPDX-License-Identifier: Apache-2.0

"""What another engine finds after one died, and what it writes down."""

from unittest import mock

import testtools

from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import reconcile
from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import states
from tests.unit.stack_lock.resource_locks import fakes


class RecoveryTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.stack = fakes.Stack()
        self.rows, self.found, self.pauses = {}, {}, []
        for target, name, replacement in (
                (protection_table, 'of_tree', lambda context,
                 root_id: self.rows),
                (protection_table, 'settle', self.settle),
                (reconcile.lock_resources, 'inspect', self.inspect),
                (reconcile.time, 'sleep', self.pauses.append)):
            patcher = mock.patch.object(target, name, replacement)
            patcher.start()
            self.addCleanup(patcher.stop)

    def settle(self, context, root_id, verdicts):
        self.verdicts = {row.name: verdict
                         for row, *verdict in verdicts}

    def inspect(self, context, root_id):
        if not self.found:
            raise ValueError('no credentials')
        return report.Report(self.found, [self.stack])

    def row(self, name, state):
        row = mock.Mock(state=state)
        row.name = name
        resource = self.stack.add(fakes.Resource, name)
        self.rows[resource.id] = row
        return resource

    def test_what_the_services_say_is_written_down(self):
        for name, found in (('done', (states.PROTECTED, None)),
                            ('theirs', (states.FOUND, 'bob has')),
                            ('gone', (states.NO_API, 'gone')),
                            ('unknown', (states.LOCKING, 'HTTP 503'))):
            self.found[self.row(name, states.LOCKING)] = found
        reconcile.settle(self.stack.id)
        self.assertEqual({
            'done': [states.PROTECTED, None],
            'theirs': [states.FOUND, 'bob has'],
            'gone': [states.NO_API, 'gone'],
            'unknown': [states.LOCKING, 'HTTP 503']}, self.verdicts)

    def test_it_looks_again_for_requests_that_were_late(self):
        self.found[self.row('late', states.PROTECTED)] = (
            states.PROTECTED, None)
        reconcile.settle(self.stack.id)
        self.assertEqual(2, len(self.pauses))

    def test_what_is_free_stays_ours_and_is_told(self):
        self.found[self.row('free', states.PROTECTED)] = (None, None)
        reconcile.settle(self.stack.id)
        state, reason = self.verdicts['free']
        self.assertEqual(states.LOCKING, state)
        self.assertIn('it was not protected when another engine looked',
                      reason)

    def test_services_that_cannot_be_asked(self):
        self.row('asked', states.LOCKING)
        self.row('done', states.PROTECTED)
        reconcile.settle(self.stack.id)
        self.assertEqual(
            {'asked': [states.LOCKING, 'the engine stopped over it']},
            self.verdicts)


class CompareTest(testtools.TestCase):
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
                    reconcile.lock_resources, 'inspect',
                    return_value=report.Report(results, [stack])):
            listed = reconcile.compare(stack.id)
        self.assertEqual([('a', 'protected', 'protected', ''),
                          ('b', 'failed', 'not_protected', ''),
                          ('c', 'failed', 'not_known', 'HTTP 503'),
                          ('d', 'failed', 'found_protected', 'bob has'),
                          ('e', 'found_protected', 'not_protected', ''),
                          ('f', 'found_protected', 'not_known', 'HTTP 403')],
                         [(row[2], *row[-3:]) for row in listed])
