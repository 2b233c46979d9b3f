# SPDX-License-Identifier: Apache-2.0

"""A service that is slow, hangs, or returns 500 if a test requests it."""

import pathlib
import sys

import fixtures

from tests.harness import process

_SCRIPT = pathlib.Path(__file__).parent / 'unreliable_server.py'


class UnreliableService(fixtures.Fixture):
    """A proxy in front of a service.

    :param target: its URL; what stands behind the port is handed on.
    :ivar url: the URL of the proxy.
    """

    def __init__(self, target):
        super().__init__()
        self._target = target

    def _setUp(self):
        place = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self._mode_file = place / 'mode'
        self.be('')
        serving = process.Process(
            'unreliable service',
            [sys.executable, '-I', _SCRIPT, self._target, self._mode_file],
            place / 'output').attach(self)
        serving.start()
        self.url = f'http://127.0.0.1:{serving.wait_for_port()}'

    def be(self, mode):
        """Set the mode of the script; an empty text is normal behavior."""
        # Replace the file at once, because it is read at any time.
        new = self._mode_file.with_suffix('.new')
        new.write_text(mode)
        new.replace(self._mode_file)
