# SPDX-License-Identifier: Apache-2.0

"""Let messages between the parts of a sandbox arrive at once, as a broker's.

oslo.messaging's transport in memory (``fake:///``) looks for messages every
50 ms, and a stack is dozens of messages: waiting would be most of what is
measured. Its driver says of itself that it is for tests, and has no option
for this.
"""

import threading
import time

from oslo_messaging._drivers import impl_fake


class _Clock:
    """What the driver gets in place of the module ``time``.

    A sleep ends when a message was sent, also one since the last sleep of
    the same thread.
    """

    time = staticmethod(time.time)

    def __init__(self):
        self._sent = threading.Condition()
        self._count = 0
        self._seen = threading.local()

    def sleep(self, seconds):
        """Wait for the next message, but no longer than that."""
        with self._sent:
            seen = getattr(self._seen, 'count', 0)
            self._sent.wait_for(lambda: self._count != seen, seconds)
            self._seen.count = self._count

    def wake(self):
        """Say that a message was sent."""
        with self._sent:
            self._count += 1
            self._sent.notify_all()


class _Exchange(impl_fake.FakeExchange):

    clock = _Clock()

    def deliver_message(self, *args, **kwargs):
        """Put a message into its queues, and tell those who listen."""
        super().deliver_message(*args, **kwargs)
        self.clock.wake()


def deliver_at_once():
    """Make it so in this process; before the first transport is made."""
    impl_fake.FakeExchange = _Exchange
    impl_fake.time = _Exchange.clock
