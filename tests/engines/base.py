# SPDX-License-Identifier: Apache-2.0

"""Base class of tests on a cloud with several engines."""

import concurrent.futures

import sqlalchemy
import testtools

from tests.harness import class_fixtures
from tests.harness.engines import cloud
from tests.harness import logs
from tests.harness.services import galera
from tests.harness.services import mariadb
from tests.harness.services import postgresql
from tests.harness import waiting

GALERA = galera.Galera
# Two nodes keep the quorum if one is unavailable.
GALERA_OF_THREE = (galera.Galera, 3)
MARIADB = mariadb.MariaDB
MARIADB_READ_COMMITTED = (mariadb.MariaDB, mariadb.READ_COMMITTED)
POSTGRESQL = postgresql.PostgreSQL
WAIT_SECONDS = 120


class CloudTestCase(class_fixtures.ClassFixtures, testtools.TestCase):
    """One cloud for the tests of a class; starting it takes 20 seconds.

    A class without a ``kind`` of database is only to be inherited from.
    """

    kind = None
    engines = 2
    more = own = ''
    features = 'all'
    clocks = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cloud = cls.use_in_class(
            cloud.Cloud(cls.kind, cls.engines, cls.more, own=cls.own,
                        features=cls.features, clocks=cls.clocks))

    def setUp(self):
        super().setUp()
        for name in ('api', *self.cloud.engines):
            self.addDetail(f'{name}.log', logs.file_content(
                f'{self.cloud.directory}/{name}.log'))
            self.addDetail(f'output of {name}', logs.file_content(
                self.cloud.output_path(name)))
        self.addCleanup(self.cloud.ensure_engines)
        self.client = self.cloud.client()

    def assert_status(self, wanted, answer):
        self.assertEqual(wanted, answer.status_code, answer.text)
        return answer

    def act(self, path, name, fields=None, client=None):
        """Send an action to a stack; a lock is one of level ``stacks``.

        That one is over when it is answered.
        """
        if name == 'lock' and fields is None:
            fields = {'level': 'stacks'}
        return (client or self.client).post(path + '/actions',
                                            {name: fields})

    def in_background(self, function, *arguments):
        """Call a function in a thread, and return its future."""
        pool = concurrent.futures.ThreadPoolExecutor(1)
        self.addCleanup(pool.shutdown)
        return pool.submit(function, *arguments)

    def query(self, statement, **values):
        """Read from the database; returns rows."""
        with self.cloud.connect() as connection:
            return connection.execute(
                sqlalchemy.text(statement), values).all()

    def change(self, statement, **values):
        """Write to the database."""
        with self.cloud.connect() as connection, connection.begin():
            connection.execute(sqlalchemy.text(statement), values)

    def wait_for(self, description, find, is_right=bool):
        """Wait until what is found is right, and return that."""
        return waiting.until(description, find, is_right, WAIT_SECONDS)
