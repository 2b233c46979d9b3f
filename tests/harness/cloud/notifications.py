# SPDX-License-Identifier: Apache-2.0

"""Receive the notifications that Heat sends."""

import fixtures
from oslo_config import cfg
import oslo_messaging

from tests.harness import waiting

TOPIC = 'notifications'
_SECONDS = 300


class Notifications(fixtures.Fixture):
    """The notifications since the fixture is used.

    :param url: of the broker
    :ivar received: pairs of event type and payload
    """

    def __init__(self, url):
        super().__init__()
        self._url = url
        self.received = []

    def _setUp(self):
        conf = cfg.ConfigOpts()
        conf([], default_config_files=[])
        transport = oslo_messaging.get_notification_transport(
            conf, url=self._url)
        self.addCleanup(transport.cleanup)
        # Discard the notifications of earlier tests in the queue.
        listener = oslo_messaging.get_notification_listener(
            transport, [oslo_messaging.Target(topic=TOPIC)], [self],
            executor='threading')
        listener.start()
        self.addCleanup(listener.wait)
        self.addCleanup(listener.stop)

    def info(self, context, publisher_id, event_type, payload, metadata):
        """Receive a notification (oslo.messaging calls this)."""
        self.received.append((event_type, payload))

    def error(self, *arguments):
        """Receive an error notification."""
        self.info(*arguments)

    def wait_for(self, event_type, stack_id):
        """Wait for a notification of a stack; return its payload."""
        def payloads(received):
            return [payload for other_type, payload in received
                    if other_type == event_type
                    and payload['stack_identity'] == stack_id]

        return payloads(waiting.until(
            f'{event_type} of {stack_id}', lambda: list(self.received),
            payloads, _SECONDS))[0]
