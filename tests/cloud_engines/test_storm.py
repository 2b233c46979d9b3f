# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Storms over two engines, on the databases that clouds have."""

from tests.cloud_engines import base
from tests.storm import base as storm_base


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
