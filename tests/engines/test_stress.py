# SPDX-License-Identifier: Apache-2.0

"""Storms over two engines, on the databases that clouds have."""

from tests.engines import base
from tests.stress import base as storm_base


class CloudStorm(storm_base.StormTests, base.CloudTestCase):
    @property
    def cloud_client(self):
        return self.client

    @property
    def database_url(self):
        return self.cloud.database_url


class MariaDBTest(CloudStorm):
    kind = base.MARIADB


class MariaDBReadCommittedTest(CloudStorm):
    kind = base.MARIADB_READ_COMMITTED


class PostgreSQLTest(CloudStorm):
    kind = base.POSTGRESQL


class GaleraTest(CloudStorm):
    """Each engine writes to a server of its own."""

    kind = base.GALERA
