# SPDX-License-Identifier: Apache-2.0

"""Stand before a service, hand on what is asked, and do it badly at times.

A script that serves until it is ended, and imports the standard library only;
:class:`tests.harness.unreliable_service.UnreliableService` starts it. How it
behaves stands in a file, read for each request:

nothing      at once
``slow``     after a while
``hang``     when the file says something else; then, however late
``hold``     the same, but only what is sent by POST
``error``    not at all: 500
``late``     the service does it, and the answer is 500
``away``     not at all: the connection ends without an answer
"""

from http import client
from http import server
import sys
import time
from urllib import parse

_SLOW_SECONDS = 2
_LOOK_SECONDS = 0.1
# Of one connection; what is left of an answer is handed on.
_OWN_HEADERS = ('connection', 'keep-alive', 'transfer-encoding',
                'content-length')


class Handler(server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def _answer(self):
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        if self._mode() == 'slow':
            time.sleep(_SLOW_SECONDS)
        while self._mode() in self._waited_out():
            time.sleep(_LOOK_SECONDS)
        mode = self._mode()
        if mode == 'away':
            self.close_connection = True
        elif mode == 'error':
            self._send(500, [], b'broken')
        else:
            answer = self._hand_on(body)
            self._send(*((500, [], b'broken') if mode == 'late' else answer))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer

    def _waited_out(self):
        return ('hang', 'hold') if self.command == 'POST' else ('hang',)

    def _mode(self):
        with open(self.server.mode_file) as source:
            return source.read()

    def _hand_on(self, body):
        connection = client.HTTPConnection(self.server.target)
        try:
            # With the name that it was asked by, for links in the answer.
            connection.request(self.command, self.path, body, self.headers)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()

    def _send(self, status, headers, content):
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in _OWN_HEADERS:
                self.send_header(name, value)
        self.send_header('Content-Length', str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        """Be silent."""


class Server(server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main(target, mode_file):
    serving = Server(('127.0.0.1', 0), Handler)
    serving.target = parse.urlsplit(target).netloc
    serving.mode_file = mode_file
    print(f'port {serving.server_port} ', flush=True)
    serving.serve_forever()


if __name__ == '__main__':
    main(*sys.argv[1:])
