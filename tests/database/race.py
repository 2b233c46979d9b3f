# SPDX-License-Identifier: Apache-2.0

"""Two transactions at the same time, brought into a chosen order."""

import concurrent.futures
import threading

import fixtures

from heat_extras.stack_lock import tree_rows

# Far more than any step takes; a test that waits that long has failed.
SECONDS = 45
# A thread that has not finished by then waits for a database lock.
GRACE = 0.2


class Pause:
    """A place where a thread waits until another thread resumes it."""

    def __init__(self):
        self._reached = threading.Event()
        self._resumed = threading.Event()

    def __call__(self):
        """Stop here, but only the first time."""
        if not self._reached.is_set():
            self._reached.set()
            self._wait(self._resumed)

    def wait(self, attempt):
        """Wait until the other thread is here, or has ended."""
        for _ in range(SECONDS * 20):
            if self._reached.wait(0.05) or attempt.done():
                return
        raise AssertionError('The other thread did not come so far.')

    def resume(self):
        self._reached.set()
        self._resumed.set()

    @staticmethod
    def _wait(event):
        if not event.wait(SECONDS):
            raise AssertionError('Nobody let this thread go on.')


class PausedLock(fixtures.Fixture):
    """Make lock_tree() stop inside its transaction.

    :param step: after which function of heat_extras.stack_lock.tree_rows.
    :ivar pause: where it stops.
    """

    def __init__(self, step):
        super().__init__()
        self.step = step
        self.pause = Pause()

    def _setUp(self):
        original = getattr(tree_rows, self.step)

        def paused(*arguments, **named):
            result = original(*arguments, **named)
            self.pause()
            return result

        self.useFixture(fixtures.MonkeyPatch(
            f'heat_extras.stack_lock.tree_rows.{self.step}', paused))
        self.addCleanup(self.pause.resume)


class Threads(fixtures.Fixture):
    """Run attempts beside the test."""

    def _setUp(self):
        self._pool = concurrent.futures.ThreadPoolExecutor(4)
        self.addCleanup(self._pool.shutdown)

    def start(self, function, *arguments):
        """Start an attempt; return its future."""
        return self._pool.submit(function, *arguments)


def settle(attempt):
    """Give an attempt time to end, unless the database makes it wait."""
    concurrent.futures.wait([attempt], GRACE)


def outcome(attempt, refusals):
    """Wait for an attempt, and tell whether it succeeded.

    :param refusals: the exceptions that mean that it did not.
    """
    try:
        return bool(attempt.result(SECONDS))
    except refusals:
        return False
