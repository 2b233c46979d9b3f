# SPDX-License-Identifier: Apache-2.0

import sys

import testtools

from heat_extras.sandbox import demo
from heat_extras.sandbox import tour


class Shell:
    """A terminal in which only one script can be typed."""

    def __init__(self, script):
        self.command = [sys.executable, '-c', script]

    def type(self, words):
        return demo._answer(self.command, {})


class TakeTest(testtools.TestCase):
    """Steps with a command that stands in for the client."""

    def _take(self, script, **expectations):
        step = tour.Step('story', (), **expectations)
        fault, _text = demo.take(step, Shell(script))
        return fault

    def test_answer_is_judged(self):
        self.assertIsNone(self._take('print("locked")', says=('locked',)))
        self.assertIsNotNone(self._take('print("free")', says=('locked',)))

    def test_errors_belong_to_the_answer(self):
        self.assertIsNone(self._take(
            'import sys; sys.exit("is locked")', succeeds=False,
            says=('is locked',)))

    def test_waiting_gives_up_in_the_end(self):
        self.assertIsNotNone(
            self._take('print(1)', says=('2',), retries=1))

    def test_watching_finds_nothing(self):
        self.assertIsNone(self._take('print(1)', says=('1',), settles=1))

    def test_complaints_about_other_plugins_are_left_out(self):
        _status, text = demo._answer(
            [sys.executable, '-c', 'print("Could not load x"); print(1)'],
            {})
        self.assertEqual('1\n', text)
