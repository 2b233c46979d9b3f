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
