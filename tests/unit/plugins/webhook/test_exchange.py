# SPDX-License-Identifier: Apache-2.0

import os
import socket
import ssl
import subprocess
import sys
import textwrap
import threading
from unittest import mock
import urllib.parse

import testtools

from heat_extras.plugins.webhook import client
from heat_extras.plugins.webhook import exchange
from tests.rigs import policy_service
from tests.rigs import waiting

# Each goes on for ever, so that only the deadline ends an exchange.
ENDLESS = ('/drip', '/old', '/chunks', '/headers', '/letters', '/continue',
           '/flood', '/hang')
LATE = 'no answer of the service within 1 s'


class Peer:
    """Take one connection, and do with it what a test says."""

    def __init__(self, test, serve):
        self._listener = socket.create_server(('127.0.0.1', 0))
        self._listener.settimeout(0.2)
        test.addCleanup(self._listener.close)
        self.port = self._listener.getsockname()[1]
        self.gone = threading.Event()
        self.stop = threading.Event()
        thread = threading.Thread(target=self._run, args=(serve,))
        thread.start()
        test.addCleanup(thread.join)
        test.addCleanup(self.stop.set)

    def _accept(self):
        while not self.stop.is_set():
            try:
                return self._listener.accept()[0]
            except TimeoutError:
                continue
        return socket.socket()

    def _run(self, serve):
        with self._accept() as connection:
            connection.settimeout(60)
            try:
                serve(self, connection)
            except OSError:
                self.gone.set()


def drip_handshake(peer, connection):
    """Begin a record of TLS, and send of it a byte at a time."""
    connection.recv(4096)
    connection.sendall(b'\x16\x03\x03\x40\x00\x02\x00\x3f\xfc')
    while not peer.stop.wait(0.2):
        connection.sendall(b'\x00')


def never_read(peer, connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    peer.stop.wait(60)


class ExchangeTest(testtools.TestCase):

    def assert_late(self, url, document=None):
        before = set(threading.enumerate())
        error = self.assertRaises(
            client.Transient, client.Client(url, 1, 1).post, document)
        self.assertEqual(LATE, str(error))
        waiting.until('the new threads to end', lambda: set(
            threading.enumerate()) - before, lambda found: not found)

    def test_answers_that_never_end_end_at_the_deadline(self):
        service = self.useFixture(policy_service.PolicyService())
        for path in ENDLESS:
            self.assert_late(service.url + path)
        # Also the connections have ended: the service can't write to them.
        wanted = set(ENDLESS) - {'/hang'}
        waiting.until_equal('who is left', wanted,
                            lambda: set(service.left()))

    def test_each_attempt_has_its_time(self):
        service = self.useFixture(policy_service.PolicyService())
        error = self.assertRaises(
            client.Transient,
            client.Client(service.url + '/continue', 1, 2).post, None)
        self.assertEqual(LATE, str(error))
        self.assertEqual(2, len(service.requests()))

    def test_answers_over_tls_end_too(self):
        service = self.useFixture(policy_service.PolicyService('127.0.0.1'))
        for path in ('/drip', '/old', '/continue'):
            self.assertRaises(client.Transient, client.Client(
                service.url + path, 1, 1, service.certificate).post, None)
        waiting.until_equal('who is left', 3,
                            lambda: len(service.left()))

    def test_a_handshake_that_never_ends_ends(self):
        peer = Peer(self, drip_handshake)
        self.assert_late(f'https://127.0.0.1:{peer.port}/')
        waiting.until('the peer to see the end', peer.gone.is_set)

    def test_a_service_that_does_not_read_is_left(self):
        peer = Peer(self, never_read)
        self.assert_late(f'http://127.0.0.1:{peer.port}/', 'x' * (1 << 24))

    def test_a_name_that_is_not_found_in_time(self):
        asked = threading.Event()
        self.addCleanup(asked.set)
        with mock.patch.object(socket, 'getaddrinfo',
                               lambda *args, **kwargs: [asked.wait(60)]):
            error = self.assertRaises(
                client.Transient,
                client.Client('http://slow.test/', 0.2, 1).post, None)
        self.assertIn('no answer of the service within', str(error))

    def test_a_dead_address_leaves_time_for_the_next(self):
        service = self.useFixture(policy_service.PolicyService())
        port = urllib.parse.urlsplit(service.url).port
        # Nobody takes its connections, and its queue is full.
        full = socket.create_server(('127.0.0.1', 0), backlog=0)
        self.addCleanup(full.close)
        for _number in range(3):
            one = socket.socket()
            self.addCleanup(one.close)
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        found = [(socket.AF_INET, socket.SOCK_STREAM, 0, '', address)
                 for address in (full.getsockname(), ('127.0.0.1', port))]
        with mock.patch.object(socket, 'getaddrinfo',
                               return_value=found):
            self.assertEqual({'allow': True}, client.Client(
                f'http://two.test:{port}/plain', 4, 1).post(None))

    def test_the_port_where_the_address_has_none(self):
        for url, wanted in (('http://[2001:db8::1]/', ('2001:db8::1', 80)),
                            ('https://[::1]/x', ('::1', 443)),
                            ('http://[fe80::a]/', ('fe80::a', 80)),
                            ('https://[::1]:8181/', ('::1', 8181)),
                            ('https://opa.test/', ('opa.test', 443))):
            with mock.patch.object(socket, 'getaddrinfo',
                                   side_effect=OSError) as asked:
                self.assertRaises(client.Transient, client.Client(
                    url, 5, 1).post, None)
            self.assertEqual(wanted, asked.call_args.args)

    def test_no_body_is_larger_than_was_wanted(self):
        service = self.useFixture(policy_service.PolicyService())
        parts = urllib.parse.urlsplit(service.url + '/plain')
        self.assertEqual((200, b'{"a'), exchange.exchange(
            'POST', parts, {}, b'null', 5, most=2))

    def test_an_answer_that_breaks_off_is_none(self):
        def serve(peer, connection):
            connection.recv(65536)
            connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n'
                               b'\r\ntrue')
        peer = Peer(self, serve)
        error = self.assertRaises(client.Transient, client.Client(
            f'http://127.0.0.1:{peer.port}/', 5, 1).post, None)
        self.assertEqual('no connection to the service', str(error))

    def test_user_path_and_query_are_sent_as_they_are_written(self):
        service = self.useFixture(policy_service.PolicyService())
        port = urllib.parse.urlsplit(service.url).port
        client.Client(f'http://me:p%40ss@127.0.0.1:{port}/plain/ä b%20c?q=1',
                      5, 1).post(None)
        request, = service.requests()
        self.assertEqual('/plain/%C3%A4%20b%20c?q=1', request['path'])
        self.assertEqual('Basic bWU6cEBzcw==',
                         request['headers']['authorization'])
        self.assertEqual(f'127.0.0.1:{port}', request['headers']['host'])


class GreenThreadsTest(testtools.TestCase):
    """Heat 24 runs on eventlet, with the standard library patched."""

    SCRIPT = textwrap.dedent("""
        import eventlet
        eventlet.monkey_patch()
        from heat_extras.plugins.webhook import client
        import sys
        turns = []
        def others():
            while True:
                turns.append(1)
                eventlet.sleep(0.01)
        eventlet.spawn(others)
        for url in sys.argv[2:]:
            try:
                client.Client(url, 1, 1, sys.argv[1]).post('x' * (1 << 22))
            except client.Transient as error:
                print(error, len(turns) > 5)
            turns.clear()
    """)

    def test_nothing_lasts_there_either(self):
        try:
            import eventlet  # noqa: F401
        except ImportError:
            self.skipTest('eventlet is not installed')
        plain = self.useFixture(policy_service.PolicyService())
        secure = self.useFixture(policy_service.PolicyService('127.0.0.1'))
        slow, deaf = Peer(self, drip_handshake), Peer(self, never_read)
        urls = [service.url + path for service in (plain, secure)
                for path in ENDLESS]
        urls += [f'https://127.0.0.1:{slow.port}/',
                 f'http://127.0.0.1:{deaf.port}/']
        found = subprocess.run(
            [sys.executable, '-c', self.SCRIPT, secure.certificate, *urls],
            capture_output=True, text=True, timeout=300, check=False,
            env={**os.environ, 'PYTHONWARNINGS': 'ignore'})
        self.assertEqual([LATE + ' True'] * len(urls),
                         found.stdout.splitlines(), found.stderr)


class ContextTest(testtools.TestCase):

    def test_files_that_are_no_certificates_are_named(self):
        error = self.assertRaises(client.WebhookError, client.Client(
            'https://127.0.0.1:1/', verify=__file__).post, None)
        self.assertIn('webhook_ca_file', str(error))

    def test_certificates_are_verified_always(self):
        found = client.Client('https://x/')._tls(
            urllib.parse.urlsplit('https://x/'))
        self.assertEqual((ssl.CERT_REQUIRED, True),
                         (found.verify_mode, found.check_hostname))
