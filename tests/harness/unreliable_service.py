# SPDX-License-Identifier: Apache-2.0

"""A service that is slow, hangs, or answers 500, when a test says so."""

import pathlib
import sys

import fixtures

from tests.harness import process

_SCRIPT = pathlib.Path(__file__).parent / 'unreliable_server.py'


class UnreliableService(fixtures.Fixture):
    """Stand before a real service.

    :param target: its URL; what stands behind the port is handed on.
    :ivar url: to ask in its place.
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
        """Behave as the script says, or well: an empty text."""
        # At once, for it is read meanwhile.
        new = self._mode_file.with_suffix('.new')
        new.write_text(mode)
        new.replace(self._mode_file)
