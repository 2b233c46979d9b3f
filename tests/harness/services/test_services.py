# SPDX-License-Identifier: Apache-2.0

"""The services start, work, and remove their files."""

import os
import unittest

import fixtures
import pymysql
import testtools

from tests.harness import ports
from tests.harness import process
from tests.harness.services import galera
from tests.harness.services import mariadb
from tests.harness.services import postgresql
from tests.harness.services import rabbitmq
from tests.harness.services import requirement
from tests.harness.services import shared


class ServicesTest(testtools.TestCase):

    def start(self, kind, *arguments):
        """Start a service, and check that it ends with the test."""
        service = kind(*arguments)
        self.addCleanup(self.check_is_gone, service)
        return self.useFixture(service)

    def check_is_gone(self, service):
        if not hasattr(service, 'process'):
            return
        self.assertFalse(ports.is_listening(service.port))
        self.assertFalse(service.process.is_running())
        self.assertFalse(os.path.exists(service.directory))

    def test_mariadb_has_expected_isolation_level(self):
        for level in (mariadb.REPEATABLE_READ, mariadb.READ_COMMITTED):
            service = self.start(mariadb.MariaDB, level)
            self.assertEqual(((level,),), service.execute(
                'SELECT @@global.tx_isolation'))

    def test_error_if_mariadb_does_not_start_has_reason(self):
        requirement.find('mariadbd', 'mariadb-server', '/usr/sbin')
        service = mariadb.MariaDB('NO-SUCH-LEVEL')
        error = self.assertRaises(fixtures.MultipleExceptions, service.setUp)
        kind, cause, _ = error.args[0]
        self.assertIs(process.NotStarted, kind)
        self.assertIn('NO-SUCH-LEVEL', str(cause))

    def test_galera_rejects_commit_of_second_writer(self):
        cluster = self.useFixture(galera.Galera())
        first, second = cluster.nodes
        cluster.create_database('one')
        first.execute('CREATE TABLE one.t (id INT PRIMARY KEY, v INT)')
        first.execute('INSERT INTO one.t VALUES (1, 0)')
        with first.beginning('UPDATE one.t SET v = 1') as connection:
            second.execute('UPDATE one.t SET v = 2')
            error = self.assertRaises(pymysql.err.OperationalError,
                                      connection.commit)
        self.assertEqual(1213, error.args[0])
        self.assertEqual(((2,),), first.execute('SELECT v FROM one.t'))

    def count(self, node):
        return node.execute('SELECT count(*) FROM one.t')[0][0]

    def test_galera_node_synchronizes_after_return(self):
        cluster = self.useFixture(galera.Galera(3))
        first, second, third = cluster.nodes
        cluster.create_database('one')
        first.execute('CREATE TABLE one.t (id INT PRIMARY KEY)')
        for number, (leave, come_back) in enumerate((
                (second.kill, second.restart), (second.stop, second.restart),
                (second.cut_off, second.reconnect),
                # Another process after each restart.
                (lambda: second.process.pause(),
                 lambda: second.process.go_on()))):
            leave()
            first.execute(f'INSERT INTO one.t VALUES ({number})')
            come_back()
            second.wait_until_synced()
            self.assertEqual(number + 1, self.count(second))

    def test_galera_has_no_quorum_without_two_of_three_nodes(self):
        cluster = self.useFixture(galera.Galera(3))
        first, second, third = cluster.nodes
        second.cut_off()
        third.cut_off()
        first.wait_for_quorum(False)
        error = self.assertRaises(pymysql.err.OperationalError,
                                  first.create_database, 'one')
        self.assertEqual(galera.NO_QUORUM, error.args[0])
        second.reconnect()
        third.reconnect()
        for node in cluster.nodes:
            node.wait_until_synced()
        first.create_database('one')

    def test_galera_node_that_is_behind_returns_old_rows(self):
        cluster = self.useFixture(galera.Galera(2, 0))
        first, second = cluster.nodes
        cluster.create_database('one')
        first.execute('CREATE TABLE one.t (id INT PRIMARY KEY)')
        second.wait_for_others()
        with second.behind():
            first.execute('INSERT INTO one.t VALUES (1)')
            self.assertEqual(0, self.count(second))
        second.wait_for_others()
        self.assertEqual(1, self.count(second))

    def test_postgresql_creates_and_drops_databases(self):
        service = self.start(postgresql.PostgreSQL)
        url = service.create_database('one')
        self.assertTrue(url.endswith('/one'))
        service.drop_database('one')

    def test_rabbitmq_listens(self):
        service = self.start(rabbitmq.RabbitMQ)
        self.assertTrue(ports.is_listening(service.port))
        self.assertIn(str(service.port), service.url)

    def test_shared_servers_are_started_once(self):
        first = self.useFixture(shared.Database(mariadb.MariaDB))
        second = self.useFixture(shared.Database(mariadb.MariaDB))
        self.assertIs(first.server, second.server)
        self.assertNotEqual(first.url, second.url)
        self.assertRaises(pymysql.err.Error, first.server.create_database,
                          first.name)


class RequirementTest(testtools.TestCase):

    def test_missing_program_skips_the_test(self):
        self.useFixture(fixtures.EnvironmentVariable(requirement.REQUIRED))
        error = self.assertRaises(
            unittest.SkipTest, requirement.find, 'no-such', 'some-package')
        self.assertIn('some-package', str(error))

    def test_missing_program_fails_test_if_services_are_required(self):
        self.useFixture(
            fixtures.EnvironmentVariable(requirement.REQUIRED, '1'))
        error = self.assertRaises(
            AssertionError, requirement.find, 'no-such', 'some-package')
        self.assertIn(requirement.REQUIRED, str(error))
