# SPDX-License-Identifier: Apache-2.0

import threading
import types

import testtools

from heat_extras.heat_internals import thread_cleanup


class Group:
    def __init__(self, threads):
        self.threads = threads

    def thread_done(self, thread):
        self.threads.remove(thread)


class ForgetEndedThreadsTest(testtools.TestCase):

    def forget(self, threads):
        group = Group(threads)
        thread_cleanup.forget_ended_threads(
            types.SimpleNamespace(groups={'web': group}), 'web')
        return group.threads

    def ended(self, count):
        threads = [threading.Thread(target=str) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return threads

    def test_ended_threads_are_forgotten(self):
        event = threading.Event()
        living = threading.Thread(target=event.wait)
        living.start()
        self.addCleanup(living.join)
        self.addCleanup(event.set)
        self.assertEqual([living], self.forget([*self.ended(100), living]))

    def test_fewer_than_100_threads_are_kept(self):
        self.assertEqual(99, len(self.forget(self.ended(99))))

    def test_eventlet_threads_are_kept(self):
        self.assertEqual(100, len(self.forget([object()] * 100)))

    def test_stack_without_threads_is_accepted(self):
        thread_cleanup.forget_ended_threads(
            types.SimpleNamespace(groups={}), 'web')
