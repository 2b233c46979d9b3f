# SPDX-License-Identifier: Apache-2.0

"""Files over HTTP, for Glance to load images from."""

import functools
from http import server
import os
import threading

import fixtures

IMAGE = 'image.raw'


class FileServer(fixtures.Fixture):
    """An HTTP server for a directory with one small image.

    :ivar url: of the image
    """

    def _setUp(self):
        directory = self.useFixture(fixtures.TempDir()).path
        with open(os.path.join(directory, IMAGE), 'wb') as target:
            target.write(bytes(1024))
        serving = server.ThreadingHTTPServer(
            ('127.0.0.1', 0), functools.partial(_Quiet, directory=directory))
        self.addCleanup(serving.server_close)
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        self.addCleanup(serving.shutdown)
        self.url = f'http://127.0.0.1:{serving.server_port}/{IMAGE}'


class _Quiet(server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        """Log nothing."""
