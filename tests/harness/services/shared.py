# SPDX-License-Identifier: Apache-2.0

"""One server of each kind for a test run, or for a stestr worker.

The first test that uses a server starts it, and it is stopped when the process
ends.
"""

import atexit
import itertools
import os

import fixtures

_running = {}
_numbers = itertools.count(1)


def server(kind, *arguments):
    """Return the process's server of a kind, started.

    :param kind: a class of :class:`tests.harness.services.daemon.Daemon`.
    :param arguments: of its constructor; other arguments, other server.
    """
    key = (kind, *arguments)
    if key not in _running:
        started = kind(*arguments)
        started.setUp()
        atexit.register(started.cleanUp)
        _running[key] = started
    return _running[key]


class Database(fixtures.Fixture):
    """A new, empty database of a shared server.

    :param template: the name of the database to copy, where the server can.
    :ivar url: of the database.
    :ivar urls: of the database on each server of a cluster.
    """

    def __init__(self, kind, *arguments, **options):
        super().__init__()
        self._kind = kind
        self._arguments = arguments
        self._options = options

    def _setUp(self):
        self.server = server(self._kind, *self._arguments)
        self.name = f'test_{os.getpid()}_{next(_numbers)}'
        self.url = self.server.create_database(self.name, **self._options)
        self.urls = [node.database_url(self.name) for node
                     in getattr(self.server, 'nodes', [self.server])]
        self.addCleanup(self.server.drop_database, self.name)
