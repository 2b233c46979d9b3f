# SPDX-License-Identifier: Apache-2.0

"""The databases that Heat is measured on."""

import argparse

import fixtures

ALL = SQLITE, MARIADB, POSTGRESQL = 'SQLite', 'MariaDB', 'PostgreSQL'
#: Databases that other processes can use at the same time.
SERVERS = MARIADB, POSTGRESQL

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
            # Not needed for SQLite. Raises SkipTest if not installed.
            from tests.harness.services import mariadb
            self._server = self.useFixture(mariadb.MariaDB())
            self._server.execute(
                f'SET GLOBAL max_connections = {_CONNECTIONS}')
        if self.kind == POSTGRESQL:
            from tests.harness.services import postgresql
            self._server = self.useFixture(postgresql.PostgreSQL())

    def new(self):
        """Make a database.

        :returns: its URL; None for SQLite, where the sandbox makes it.
        """
        if self.kind == SQLITE:
            return None
        self._count += 1
        return self._server.create_database(f'heat{self._count}')


def parser(module, text, kinds):
    """Make a parser of arguments, of which some name databases: ``kinds``.

    :param module: the one that is run.
    :param text: its docstring.
    :param kinds: that it can do; all of them where none is named.
    """
    def kind(word):
        for known in kinds:
            if known.lower() == word.lower():
                return known
        raise argparse.ArgumentTypeError(
            f'found {word}, wanted {" or ".join(kinds)}')

    made = argparse.ArgumentParser(
        prog=f'python -m {module}', description=text,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument('kinds', nargs='*', metavar='DATABASE', type=kind,
                      default=list(kinds),
                      help=f'{" or ".join(kinds)}; default: each')
    return made
