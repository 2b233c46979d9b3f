# SPDX-License-Identifier: Apache-2.0

import types
from unittest import mock

from oslo_upgradecheck import upgradecheck
import testtools

from heat_extras.upgrade_checks import database
from tests.unit.db import base

SUCCESS, WARNING, _ = upgradecheck.Code
_GALERA = {'wsrep_on': 'ON', 'wsrep_provider': '/usr/lib/libgalera_smm.so'}


class ClusterTest(testtools.TestCase):
    """tests/database/test_galera_check.py runs against real nodes."""

    def check(self, code, configured=None, **variables):
        engine = mock.MagicMock()
        engine.dialect.name = 'mysql'
        connection = engine.connect.return_value.__enter__.return_value
        connection.execute.return_value = list(variables.items())
        conf = types.SimpleNamespace(database=types.SimpleNamespace(
            **({} if configured is None
               else {'mysql_wsrep_sync_wait': configured})))
        result = database.check_cluster(conf, engine)
        self.assertEqual(code, result.code, result.details)
        return result.details

    def test_server_without_cluster_succeeds(self):
        for variables in ({}, {'wsrep_on': 'OFF'},
                          {'wsrep_on': 'ON', 'wsrep_provider': 'none'}):
            self.assertIn('Not a node', self.check(SUCCESS, **variables))

    def test_other_database_succeeds(self):
        engine = self.useFixture(base.HeatDatabase()).engine
        self.assertEqual(SUCCESS, database.check_cluster(None, engine).code)

    def test_wsrep_sync_wait_with_reads_succeeds(self):
        for value in '1', '3', '7':
            self.assertIn(f'wsrep_sync_wait is {value}', self.check(
                SUCCESS, **_GALERA, wsrep_sync_wait=value))

    def test_wsrep_sync_wait_without_reads_is_a_warning(self):
        for value in '0', '2', '4':
            details = self.check(WARNING, **_GALERA, wsrep_sync_wait=value)
            self.assertIn(f'wsrep_sync_wait is {value}', details)
            self.assertIn('but must be 1', details)
            self.assertIn('mysql_wsrep_sync_wait = 1', details)

    def test_heat_conf_overrides_server_variable(self):
        self.check(SUCCESS, 1, **_GALERA, wsrep_sync_wait='0')
        self.check(WARNING, 0, **_GALERA, wsrep_sync_wait='1')
