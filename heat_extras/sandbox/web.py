# SPDX-License-Identifier: Apache-2.0

"""A small HTTP server for one WSGI application, on loopback only."""

import socketserver
from wsgiref import simple_server

from oslo_log import log as logging

LOG = logging.getLogger(__name__)

HOST = '127.0.0.1'


class Server(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    """Answer each request in a thread of its own.

    The socket is taken at once, so that a port in use is known before Heat
    is loaded; the application follows by ``set_app``.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port):
        super().__init__((HOST, port), _RequestHandler)

    def server_bind(self):
        """Bind without asking the name service for the host's name.

        ``http.server.HTTPServer.server_bind`` asks, and can wait for long.
        """
        socketserver.TCPServer.server_bind(self)
        self.server_name = HOST
        self.server_port = self.server_address[1]
        self.setup_environ()


class _RequestHandler(simple_server.WSGIRequestHandler):

    def log_message(self, format, *args):
        LOG.info(format, *args)
