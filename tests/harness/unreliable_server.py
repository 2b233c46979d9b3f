# SPDX-License-Identifier: Apache-2.0

"""Forward requests to a service, and misbehave if requested.

This script serves until it is stopped, and imports only the standard library.
:class:`tests.harness.unreliable_service.UnreliableService` starts it. A file
contains the mode, and is read for each request:

nothing      forward the request immediately
``slow``     forward the request after a delay
``hang``     forward the request when the file contains another mode
``hold``     the same, but only for POST
``error``    return 500 without forwarding
``late``     forward the request, but return 500
``away``     close the connection without a response
"""

from http import client
from http import server
import sys
import time
from urllib import parse

_SLOW_SECONDS = 2
_LOOK_SECONDS = 0.1
# Headers of one connection, which are not forwarded.
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
            # With the requested host name, for links in the response.
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
        """Do not log requests."""


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
