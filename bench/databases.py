# SPDX-License-Identifier: Apache-2.0

"""The databases that Heat is measured on."""

import fixtures

SQLITE, MARIADB, POSTGRESQL = 'SQLite', 'MariaDB', 'PostgreSQL'

_CONNECTIONS = 2000


class Databases(fixtures.Fixture):
    """Give each server a new database of one kind.

    The servers are the private ones of the tests: they answer as quickly as
    they can, and do not wait for the disk.
    """

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def _setUp(self):
        self._count = 0
        if self.kind == MARIADB:
            # Not needed for SQLite; raises SkipTest where there is none.
            from tests.rigs.services import mariadb
            self._server = self.useFixture(mariadb.MariaDB())
            self._server.execute(
                f'SET GLOBAL max_connections = {_CONNECTIONS}')
        if self.kind == POSTGRESQL:
            from tests.rigs.services import postgresql
            self._server = self.useFixture(postgresql.PostgreSQL())

    def new(self):
        """Make a database.

        :returns: its URL; None for SQLite, where the sandbox makes it.
        """
        if self.kind == SQLITE:
            return None
        self._count += 1
        return self._server.create_database(f'heat{self._count}')
