# SPDX-License-Identifier: Apache-2.0

"""Serve one WSGI application on loopback: wsgi.py MODULE PORT [ARGUMENT...].

It runs in the environment of the service, by its path, so it imports the
standard library only. The application is the attribute ``application``, and
the arguments are what it finds in ``sys.argv``: every service of OpenStack
parses that while its module is imported.
"""

import importlib
import os
import socketserver
import sys
from wsgiref import simple_server


class Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    """Answer each request in a thread of its own."""

    daemon_threads = True
    request_queue_size = 128

    def server_bind(self):
        """Bind, and do not ask the name service for the host's name."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address
        self.setup_environ()


class Handler(simple_server.WSGIRequestHandler):
    def address_string(self):
        """Return the client's address, not looked up, for the log."""
        return self.client_address[0]


def main():
    module, port, *arguments = sys.argv[1:]
    # Python puts the directory of a script first: its modules would hide
    # those of the services that have the same names ('keystone', 'nova').
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path
                   if os.path.abspath(path or '.') != here]
    sys.argv[1:] = arguments
    application = importlib.import_module(module).application
    server = Server(('127.0.0.1', int(port)), Handler)
    server.set_app(application)
    server.serve_forever()


if __name__ == '__main__':
    main()
