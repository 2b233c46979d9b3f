# SPDX-License-Identifier: Apache-2.0

"""Serve one WSGI application on loopback.

    wsgi.py [--one-at-a-time] MODULE PORT [ARGUMENT...]

The script runs in the environment of the service by its path, so it imports
only the standard library. The application is the attribute ``application`` of
the module. It finds the arguments in ``sys.argv``, which each service of
OpenStack parses during the import of its module.

With ``--one-at-a-time``, connections have separate threads, but only one
thread at a time runs the application, like in a process of uWSGI without
threads.
"""

import importlib
import os
import socketserver
import sys
import threading
from wsgiref import simple_server


ONE_AT_A_TIME = '--one-at-a-time'


class Turns:
    """An application that one thread at a time calls.

    The response is read completely before the next call, because a part of the
    work may be done during this.
    """

    def __init__(self, application):
        self._application = application
        self._turn = threading.Lock()

    def __call__(self, environ, start_response):
        with self._turn:
            answer = self._application(environ, start_response)
            try:
                return list(answer)
            finally:
                getattr(answer, 'close', lambda: None)()


class Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    """Handle each request in a separate thread."""

    daemon_threads = True
    request_queue_size = 128

    def server_bind(self):
        """Bind without a lookup of the host name."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address
        self.setup_environ()


class Handler(simple_server.WSGIRequestHandler):
    def address_string(self):
        """Return the address of the client for the log, without a lookup."""
        return self.client_address[0]


def main():
    words = sys.argv[1:]
    in_turn = words[:1] == [ONE_AT_A_TIME]
    module, port, *arguments = words[in_turn:]
    # Python puts the directory of a script first: its modules would hide
    # those of the services that have the same names ('keystone', 'nova').
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path
                   if os.path.abspath(path or '.') != here]
    sys.argv[1:] = arguments
    application = importlib.import_module(module).application
    server = Server(('127.0.0.1', int(port)), Handler)
    server.set_app(Turns(application) if in_turn else application)
    server.serve_forever()


if __name__ == '__main__':
    main()
