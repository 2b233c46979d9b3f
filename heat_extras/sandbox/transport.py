# SPDX-License-Identifier: Apache-2.0

"""Messages within one process that arrive when they are sent.

oslo.messaging's ``fake`` driver lets its servers look for messages twenty
times a second. An update of three resources is some ten messages, each of
which waits half of that on average, and tests run thousands of them.
"""

import threading

import oslo_messaging
from oslo_messaging._drivers import base
from oslo_messaging._drivers import impl_fake

# How long a server that was asked to stop may go on waiting: it is told, so
# this is only for one that was not.
WAIT_SECONDS = 1


class Driver(impl_fake.FakeDriver):
    """The ``fake`` driver, whose servers are woken by what arrives."""

    def __init__(self, conf, url, default_exchange=None,
                 allowed_remote_exmods=None):
        super().__init__(conf, url, default_exchange, allowed_remote_exmods)
        self._exchange_manager = _ExchangeManager(default_exchange)
        self.exchange = default_exchange

    def listen(self, target, batch_size, batch_timeout):
        """Make the listener of a server, as the ``fake`` driver does."""
        exchange = target.exchange or self.exchange
        targets = [
            oslo_messaging.Target(topic=target.topic, exchange=exchange,
                                  server=server)
            for server in (target.server, None)]
        return base.PollStyleListenerAdapter(
            _Listener(self._exchange_manager, targets),
            batch_size, batch_timeout)


class _Exchange(impl_fake.FakeExchange):

    def deliver_message(self, *arguments, **keywords):
        super().deliver_message(*arguments, **keywords)
        _ring()


class _ExchangeManager(impl_fake.FakeExchangeManager):

    made: dict[str, _Exchange] = {}

    def __init__(self, default_exchange):
        super().__init__(default_exchange)
        self.exchange = default_exchange

    def get_exchange(self, name):
        name = name or self.exchange
        with _arrived:
            return self.made.setdefault(name, _Exchange(name))


class _Listener(impl_fake.FakeListener):

    is_asked_to_stop = False

    def poll(self, timeout=None, batch_size=1, batch_timeout=None):
        with _arrived:
            found = super().poll(0, batch_size)
            if not found and not self.is_asked_to_stop:
                _arrived.wait(WAIT_SECONDS)
        return found

    def stop(self):
        super().stop()
        self.is_asked_to_stop = True
        _ring()


# Reentrant, for a listener looks into its exchanges while it holds it.
_arrived = threading.Condition()


def _ring():
    with _arrived:
        _arrived.notify_all()
