# SPDX-License-Identifier: Apache-2.0

"""Files over HTTP that Heat and other services load."""

import pathlib
import sys

import fixtures

from tests.harness import process


class FileService(fixtures.Fixture):
    """Serve files.

    In a process of its own: where Heat 24 has been imported, threads of this
    one are eventlet's.

    :param files: from name to content, as bytes
    :ivar directory: where the files are, so that they can be changed
    """

    def __init__(self, files):
        super().__init__()
        self._files = files

    def _setUp(self):
        place = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.directory = place / 'files'
        self.directory.mkdir()
        for name, content in self._files.items():
            (self.directory / name).write_bytes(content)
        serving = process.Process(
            'file service', [
                sys.executable, '-u', '-m', 'http.server', '0', '--bind',
                '127.0.0.1', '--directory', self.directory],
            place / 'output').attach(self)
        serving.start()
        self._port = serving.wait_for_port()

    def url(self, name):
        """Return the URL of a file."""
        return f'http://127.0.0.1:{self._port}/{name}'
