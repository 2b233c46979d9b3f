# SPDX-License-Identifier: Apache-2.0

"""Storms over locks that let one update through, with two engines."""

from tests.engines import base
from tests.engines import test_stress
from tests.stress import lock_pass_tests


class PassStorm(lock_pass_tests.PassStormTests, base.CloudTestCase):
    cloud_client = test_stress.CloudStorm.cloud_client
    database_url = test_stress.CloudStorm.database_url

    @property
    def holder(self):
        return self.cloud.client('bob')


class MariaDBTest(PassStorm):
    kind = base.MARIADB


class PostgreSQLTest(PassStorm):
    kind = base.POSTGRESQL


class GaleraTest(PassStorm):
    """Each engine writes to a server of its own."""

    kind = base.GALERA
