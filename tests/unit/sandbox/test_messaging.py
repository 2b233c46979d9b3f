# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

import threading

import fixtures
from oslo_config import cfg
import oslo_messaging
from oslo_messaging._drivers import impl_fake
from oslo_messaging import conffixture
import testtools

from heat_extras.sandbox import messaging

SECONDS = 60


class Endpoint:

    def __init__(self):
        self.called = threading.Event()

    def echo(self, context, value):
        return value

    def note(self, context):
        self.called.set()


class MessagingTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        for name in ('FakeExchange', 'time'):
            self.useFixture(fixtures.MonkeyPatch(
                f'oslo_messaging._drivers.impl_fake.{name}',
                getattr(impl_fake, name)))
        self.useFixture(fixtures.MonkeyPatch(
            'oslo_messaging._drivers.impl_fake.FakeExchangeManager'
            '._exchanges', {}))
        # Without a message nobody is to wake up in the time of a test.
        clock = Slow()
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.sandbox.messaging._Exchange.clock', clock))
        messaging.deliver_at_once()
        conf = self.useFixture(conffixture.ConfFixture(cfg.ConfigOpts())).conf
        conf([])
        transport = oslo_messaging.get_rpc_transport(conf, 'fake:///')
        self.endpoint = Endpoint()
        target = oslo_messaging.Target(topic='topic', server='server')
        server = oslo_messaging.get_rpc_server(
            transport, target, [self.endpoint], executor='threading')
        server.start()
        self.addCleanup(server.wait)
        self.addCleanup(server.stop)
        self.addCleanup(clock.hurry)
        self.client = oslo_messaging.get_rpc_client(
            transport, oslo_messaging.Target(topic='topic'),
            timeout=SECONDS)

    def test_calls_are_answered(self):
        for number in range(20):
            self.assertEqual(
                number, self.client.call({}, 'echo', value=number))

    def test_casts_arrive(self):
        self.client.cast({}, 'note')
        self.assertTrue(self.endpoint.called.wait(SECONDS))


class Slow(messaging._Clock):
    """Sleeps as long as a test may take, if nothing wakes it."""

    is_over = False

    def sleep(self, seconds):
        super().sleep(seconds if self.is_over else 2 * SECONDS)

    def hurry(self):
        """Let the threads of the test end."""
        self.is_over = True
        self.wake()


class ClockTest(testtools.TestCase):

    def test_a_message_since_the_last_sleep_ends_the_next_one(self):
        clock = messaging._Clock()
        clock.wake()
        self.assertTrue(self.ends(clock.sleep, 2 * SECONDS))

    def test_every_thread_wakes(self):
        clock = messaging._Clock()
        ended = [threading.Event() for _ in range(3)]

        def sleep(event):
            clock.sleep(2 * SECONDS)
            event.set()
        for event in ended:
            threading.Thread(target=sleep, args=[event],
                             daemon=True).start()
        clock.wake()
        self.assertTrue(all(event.wait(SECONDS) for event in ended))

    @staticmethod
    def ends(function, *args):
        thread = threading.Thread(target=function, args=args, daemon=True)
        thread.start()
        thread.join(SECONDS)
        return not thread.is_alive()
