# SPDX-License-Identifier: Apache-2.0

import dataclasses
import threading

import testtools

from heat_extras.plugins import once


class Waiting:
    """Works out one attribute while another object does the other one."""

    def __init__(self, barrier):
        self._barrier = barrier

    @once.Once
    def first(self):
        """The first one."""
        self._barrier.wait(10)
        return vars(self).get('second') or self.second

    @once.Once
    def second(self):
        self._barrier.wait(10)
        return vars(self).get('first') or 'found'


@dataclasses.dataclass(frozen=True)
class Frozen:
    calls: list

    @once.Once
    def count(self):
        self.calls.append(1)
        return len(self.calls)


class OnceTest(testtools.TestCase):

    def test_it_is_worked_out_once_for_each(self):
        one, other = Frozen([]), Frozen([])
        self.assertEqual((1, 1, 1), (one.count, one.count, other.count))
        self.assertEqual(([1], [1]), (one.calls, other.calls))
        self.assertEqual('The first one.', Waiting.first.__doc__)

    def test_what_fails_is_worked_out_again(self):
        one = Frozen(None)
        self.assertRaises(AttributeError, getattr, one, 'count')
        self.assertRaises(AttributeError, getattr, one, 'count')

    def test_threads_do_not_wait_for_each_other(self):
        # With one lock for all, the second never comes to the barrier.
        barrier = threading.Barrier(2)
        found = []
        threads = [threading.Thread(
            target=lambda one: found.append(one.first), daemon=True,
            args=(Waiting(barrier),)) for _number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(['found', 'found'], found)
