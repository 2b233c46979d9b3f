# SPDX-License-Identifier: Apache-2.0

import threading
from unittest import mock

from oslo_config import cfg
import oslo_messaging
from oslo_messaging import conffixture
from oslo_messaging import exceptions
import testtools

from heat_extras.sandbox import transport

SECONDS = 60


class Endpoint:

    def __init__(self):
        self.told = threading.Event()

    def double(self, context, number):
        return 2 * number

    def tell(self, context):
        self.told.set()


class TransportTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        conf = cfg.ConfigOpts()
        self.useFixture(conffixture.ConfFixture(conf))
        made = oslo_messaging.get_rpc_transport(
            conf, 'heat-extras-sandbox:///')
        self.endpoint = Endpoint()
        self.server = oslo_messaging.get_rpc_server(
            made, oslo_messaging.Target(topic='sums', server='here'),
            [self.endpoint], executor='threading')
        self.client = oslo_messaging.get_rpc_client(
            made, oslo_messaging.Target(topic='sums'), timeout=SECONDS)

    def serve(self):
        self.server.start()
        self.addCleanup(self.server.stop)

    def test_it_is_this_driver(self):
        self.assertIsInstance(self.client.transport._driver, transport.Driver)

    def test_calls_are_answered(self):
        self.serve()
        self.assertEqual([0, 2, 4], [self.client.call({}, 'double', number=n)
                                     for n in range(3)])

    def test_what_was_sent_before_the_server_came(self):
        self.client.cast({}, 'tell')
        self.assertFalse(self.endpoint.told.is_set())
        self.serve()
        self.assertTrue(self.endpoint.told.wait(SECONDS))

    def test_by_the_servers_own_name_and_by_fanout(self):
        self.serve()
        for target in ({'server': 'here'}, {'fanout': True}):
            self.endpoint.told.clear()
            self.client.prepare(**target).cast({}, 'tell')
            self.assertTrue(self.endpoint.told.wait(SECONDS), target)

    def test_nobody_looks_again_and_again(self):
        with mock.patch('time.sleep') as sleep:
            self.serve()
            self.assertEqual(8, self.client.call({}, 'double', number=4))
        sleep.assert_not_called()

    def test_without_a_server(self):
        client = self.client.prepare(topic='nobody', timeout=0.1)
        self.assertRaises(exceptions.MessagingTimeout,
                          client.call, {}, 'double', number=1)
