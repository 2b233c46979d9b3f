# SPDX-License-Identifier: Apache-2.0

"""Stress tests of lock passes, with two engines."""

from tests.engines import base
from tests.engines import test_stress
from tests.stress import lock_pass_tests


class LockPassTestCase(lock_pass_tests.LockPassStressTests,
                       base.CloudTestCase):
    cloud_client = test_stress.StressTestCase.cloud_client
    database_url = test_stress.StressTestCase.database_url

    @property
    def holder(self):
        return self.cloud.client('bob')


class MariaDBTest(LockPassTestCase):
    kind = base.MARIADB


class PostgreSQLTest(LockPassTestCase):
    kind = base.POSTGRESQL


class GaleraTest(LockPassTestCase):
    """Each engine writes to its own server."""

    kind = base.GALERA
