# SPDX-License-Identifier: Apache-2.0

"""A PostgreSQL server for tests."""

import os
import signal

import psycopg2

from tests.harness.services import daemon
from tests.harness.services import requirement

_PACKAGE = 'postgresql'
_PLACE = '/usr/lib/postgresql/*/bin'
_USER = 'heat'


class PostgreSQL(daemon.Daemon):
    """A private server that trusts all users of the loopback interface.

    :ivar url: the URL of the server, without a database.
    """

    user = 'postgres'
    # The fast shutdown, which does not wait for clients.
    stop_signal = signal.SIGINT

    @property
    def url(self):
        return f'postgresql+psycopg2://{_USER}@127.0.0.1:{self.port}/'

    def database_url(self, name):
        """Return the URL of one of its databases."""
        return self.url + name

    def create_database(self, name, template='template0'):
        """Make a database.

        :param template: the name of the database to copy; no client may be
            connected to it.
        :returns: its URL.
        """
        self.execute(f'CREATE DATABASE {name} TEMPLATE {template}')
        return self.database_url(name)

    def drop_database(self, name):
        """Drop a database, and close its connections."""
        self.execute(f'DROP DATABASE {name} WITH (FORCE)')

    def execute(self, statement):
        """Run one statement as the superuser of tests."""
        connection = self._connect()
        try:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(statement)
        finally:
            connection.close()

    def cut_connections(self):
        """End all connections to databases of tests, as a proxy does."""
        self.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                     "WHERE datname LIKE 'test\\_%'")

    def prepare(self):
        self.program = requirement.find('postgres', _PACKAGE, _PLACE)
        initdb = requirement.find('initdb', _PACKAGE, _PLACE)
        self.data = os.path.join(self.directory, 'data')
        self.run_once([initdb, '-D', self.data, '-U', _USER, '-A', 'trust',
                       '-E', 'UTF8', '--locale=C', '--no-sync'])

    def command(self):
        return [self.program, '-D', self.data, '-p', str(self.port),
                '-k', self.directory, '-c', 'listen_addresses=127.0.0.1',
                '-c', 'max_connections=200',
                # Fast rather than durable.
                '-c', 'fsync=off', '-c', 'full_page_writes=off',
                '-c', 'synchronous_commit=off']

    def is_ready(self):
        try:
            self._connect().close()
        except psycopg2.OperationalError:
            return False
        return True

    def _connect(self):
        return psycopg2.connect(host='127.0.0.1', port=self.port,
                                user=_USER, dbname='postgres')
