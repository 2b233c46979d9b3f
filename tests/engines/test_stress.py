# SPDX-License-Identifier: Apache-2.0

"""Stress tests with two engines on each supported database."""

from tests.engines import base
from tests.stress import base as stress_base


class StressTestCase(stress_base.StressTests, base.CloudTestCase):
    @property
    def cloud_client(self):
        return self.client

    @property
    def database_url(self):
        return self.cloud.database_url


class MariaDBTest(StressTestCase):
    kind = base.MARIADB


class MariaDBReadCommittedTest(StressTestCase):
    kind = base.MARIADB_READ_COMMITTED


class PostgreSQLTest(StressTestCase):
    kind = base.POSTGRESQL


class GaleraTest(StressTestCase):
    """Each engine writes to its own server."""

    kind = base.GALERA
