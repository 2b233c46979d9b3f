# SPDX-License-Identifier: Apache-2.0

import concurrent.futures
import functools
import sys
import urllib.request

import fixtures
import testtools

from tests.harness.cloud import wsgi
from tests.harness import ports
from tests.harness import process

# Each request waits for a second one while its response is generated.
APPLICATION = """
import threading

meeting = threading.Barrier(2, timeout={patience})


def meet():
    try:
        meeting.wait()
    except threading.BrokenBarrierError:
        meeting.reset()
        yield b'alone'
    else:
        yield b'met'


def application(environ, start_response):
    start_response('200 OK', [])
    return meet()
"""


class WSGITest(testtools.TestCase):

    def answers_to_two(self, options, patience):
        """Return the sorted responses to two simultaneous requests."""
        directory = self.useFixture(fixtures.TempDir())
        with open(directory.join('meeting.py'), 'w') as target:
            target.write(APPLICATION.format(patience=patience))
        port = ports.free_port()
        process.Process(
            'wsgi', [sys.executable, wsgi.__file__, *options, 'meeting',
                     str(port)],
            directory.join('log'), {'PYTHONPATH': directory.path},
            is_ready=functools.partial(ports.is_listening, port)
        ).attach(self).start()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return sorted(pool.map(self._ask, [port] * 2))

    def _ask(self, port):
        with urllib.request.urlopen(f'http://{ports.HOST}:{port}') as answer:
            return answer.read().decode()

    def test_requests_are_handled_concurrently(self):
        self.assertEqual(['met', 'met'], self.answers_to_two([], 60))

    def test_one_at_a_time_handles_requests_one_after_another(self):
        self.assertEqual(['alone', 'alone'], self.answers_to_two(
            [wsgi.ONE_AT_A_TIME], 1))
