# SPDX-License-Identifier: Apache-2.0

"""A MariaDB server for tests."""

import contextlib
import os

import pymysql

from tests.harness.services import daemon
from tests.harness.services import requirement

REPEATABLE_READ = 'REPEATABLE-READ'
READ_COMMITTED = 'READ-COMMITTED'

_PACKAGE = 'mariadb-server'
_USER = 'heat'
_PASSWORD = 'secret'


class MariaDB(daemon.Daemon):
    """A private server with a user who has all rights.

    :param isolation: the server's transaction isolation level.
    :ivar url: the URL of the server, without a database.
    """

    user = 'mysql'

    def __init__(self, isolation=REPEATABLE_READ):
        super().__init__()
        self.isolation = isolation

    @property
    def url(self):
        return (f'mysql+pymysql://{_USER}:{_PASSWORD}@127.0.0.1:'
                f'{self.port}/')

    def database_url(self, name):
        """Return the URL of one of its databases.

        Without TLS, for which PyMySQL reads all certificates of the machine
        again for each connection: 20 ms, most of the time of some tests.
        """
        return f'{self.url}{name}?charset=utf8mb4&ssl_disabled=true'

    def create_database(self, name, template=None, charset='utf8mb4'):
        """Make a database.

        :param template: not supported by MariaDB, and ignored.
        :param charset: ``utf8mb3`` for three bytes, as in most clouds.
        :returns: its URL.
        """
        self.execute(f'CREATE DATABASE {name} CHARACTER SET {charset}')
        return self.database_url(name)

    def drop_database(self, name):
        """Drop a database."""
        self.execute(f'DROP DATABASE {name}')

    def execute(self, statement):
        """Run one statement as the user of tests; return its rows."""
        with self._connect() as connection:
            with connection.cursor() as cursor:
                cursor.execute(statement)
                return cursor.fetchall()

    def cut_connections(self):
        """End all connections to databases, as a proxy does."""
        for number, *_ in self.execute(
                'SELECT id FROM information_schema.processlist '
                'WHERE db IS NOT NULL'):
            try:
                self.execute(f'KILL CONNECTION {number}')
            except pymysql.err.MySQLError:
                # The connection has ended, or is the current one.
                continue

    @contextlib.contextmanager
    def beginning(self, statement):
        """Keep open the transaction of one statement.

        :returns: a context manager with the connection.
        """
        with self._connect() as connection:
            with connection.cursor() as cursor:
                cursor.execute('START TRANSACTION')
                cursor.execute(statement)
            yield connection

    @contextlib.contextmanager
    def holding(self, statement):
        """Keep open the transaction of one statement, and roll it back."""
        with self.beginning(statement) as connection:
            yield
            connection.rollback()

    def prepare(self):
        self.program = requirement.find('mariadbd', _PACKAGE, '/usr/sbin')
        install = requirement.find('mariadb-install-db', _PACKAGE)
        self.data = os.path.join(self.directory, 'data')
        self.init_file = os.path.join(self.directory, 'init.sql')
        with open(self.init_file, 'w') as target:
            target.write(
                f"CREATE USER '{_USER}'@'127.0.0.1' IDENTIFIED BY "
                f"'{_PASSWORD}';\n"
                f"GRANT ALL ON *.* TO '{_USER}'@'127.0.0.1';\n")
        # Two servers that share /tmp delete each other's tables there.
        self.run_once([install, '--no-defaults', f'--datadir={self.data}',
                       f'--tmpdir={self.directory}',
                       '--skip-test-db', '--auth-root-authentication-method='
                       'normal'])

    def command(self):
        return [self.program, '--no-defaults', f'--datadir={self.data}',
                f'--socket={self.directory}/socket', f'--port={self.port}',
                '--bind-address=127.0.0.1', '--skip-name-resolve',
                f'--pid-file={self.directory}/pid',
                f'--tmpdir={self.directory}',
                f'--init-file={self.init_file}',
                f'--transaction-isolation={self.isolation}',
                # Fast rather than durable.
                '--innodb-flush-log-at-trx-commit=0',
                '--loose-innodb-flush-method=nosync', '--loose-sync-frm=0',
                '--innodb-buffer-pool-size=128M',
                # For a dozen processes with a pool each; the default is 151.
                '--max-connections=1000',
                '--innodb-use-native-aio=0', '--performance-schema=OFF']

    def is_ready(self):
        try:
            self._connect().close()
        except pymysql.err.Error:
            return False
        return True

    def _connect(self):
        return pymysql.connect(host='127.0.0.1', port=self.port, user=_USER,
                               password=_PASSWORD, autocommit=True,
                               ssl_disabled=True)
