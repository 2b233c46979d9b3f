# SPDX-License-Identifier: Apache-2.0

"""A Redis server for tests."""

import socket

from tests.harness.services import daemon
from tests.harness.services import requirement


class Redis(daemon.Daemon):
    """A private server without persistence.

    :ivar url: with the first of its databases.
    """

    user = 'redis'

    @property
    def url(self):
        return f'redis://127.0.0.1:{self.port}/0'

    def prepare(self):
        self.program = requirement.find('redis-server', 'redis-server')

    def command(self):
        return [self.program, '--port', str(self.port), '--bind', '127.0.0.1',
                '--dir', self.directory, '--save', '', '--appendonly', 'no']

    def is_ready(self):
        try:
            socket.create_connection(('127.0.0.1', self.port), 1).close()
        except OSError:
            return False
        return True
