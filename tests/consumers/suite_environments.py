# SPDX-License-Identifier: Apache-2.0

"""Environments for test suites of other projects."""

import os

import fixtures

from tests.consumers import environments
from tests.functional import base
from tests.harness.cloud import cloud
from tests.harness.cloud import keystone
from tests.harness.cloud import neutron
from tests.harness.cloud import nova

FIXED, SUBNET, PUBLIC = 'heat-net', 'heat-subnet', 'public'
_TEMPEST_CONF = """\
[service_available]
cinder = False
swift = False

[heat_plugin]
auth_url = {auth_url}
auth_version = 3
username = bob
password = {password}
admin_username = ops
admin_password = {admin_password}
project_name = demo
admin_project_name = demo
user_domain_id = default
project_domain_id = default
user_domain_name = Default
project_domain_name = Default
region = RegionOne
build_interval = 1
build_timeout = 120
"""
_SERVERS_CONF = f"""\
instance_type = {nova.FLAVOR}
minimal_instance_type = {nova.FLAVOR}
image_ref = {cloud.IMAGE}
minimal_image_ref = {cloud.IMAGE}
fixed_network_name = {FIXED}
fixed_subnet_name = {SUBNET}
floating_network_name = {PUBLIC}
"""


class _Tested:
    """Environment variables and files that upstream tests read."""

    password, admin_password = 'secret', 'secret'
    more = ''

    def write_tempest_conf(self, path):
        """Write the configuration file of Tempest, for the user bob."""
        with open(path, 'w') as target:
            target.write(_TEMPEST_CONF.format(
                auth_url=self.auth_url, password=self.password,
                admin_password=self.admin_password) + self.more)

    def variables(self):
        """Return the environment variables of python-heatclient's tests."""
        return {'OS_USERNAME': 'bob', 'OS_PASSWORD': self.password,
                'OS_TENANT_NAME': 'demo', 'OS_PROJECT_NAME': 'demo',
                'OS_AUTH_URL': self.auth_url}


class FullEnvironment(_Tested, environments.SandboxEnvironment):
    """Heat with all features."""


class BareEnvironment(FullEnvironment):
    """Heat without heat-extras features."""

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.sandbox = self.useFixture(base.Sandbox(('--features', '')))


class Neutron(neutron.Neutron):
    """Neutron that binds ports without an agent."""

    driver = 'binds_all'
    driver_path = os.path.join(os.path.dirname(__file__), 'driver')


class Cloud(cloud.Cloud):
    """A cloud whose servers have ports in a network with addresses."""

    def _make_services(self):
        super()._make_services()
        others = [service for service in self._others
                  if service not in (self.neutron, self.manila)]
        self.neutron = Neutron(self.host, self.keystone)
        self._others = [*others, self.neutron]
        self._all = [self.keystone, *self._others]

    def _make_image_and_network(self):
        super()._make_image_and_network()
        with self.keystone.connect(
                keystone.ADMIN, keystone.ADMIN) as connection:
            network = connection.network
            fixed = network.create_network(name=FIXED, is_shared=True)
            network.create_subnet(name=SUBNET, network_id=fixed.id,
                                  ip_version=4, cidr='10.1.0.0/24')
            public = network.create_network(
                name=PUBLIC, is_router_external=True)
            network.create_subnet(network_id=public.id, ip_version=4,
                                  cidr='172.24.4.0/24')


class CloudEnvironment(_Tested, environments.KeystoneEnvironment):
    """A cloud with Nova and Neutron, and Heat with all features."""

    password, admin_password = 'bob-secret', 'ops-secret'
    more = _SERVERS_CONF
    make_cloud = Cloud
    features = 'all'

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.cloud = self.useFixture(self.make_cloud(
            settings={'heat_extras': {'features': self.features}}))

    @property
    def auth_url(self):
        return self.cloud.keystone.auth_url


class BareCloudEnvironment(CloudEnvironment):
    """The same, and the Heat is without any guard."""

    features = ''


# Without heat-extras, and with all features.
SANDBOXES = BareEnvironment, FullEnvironment
CLOUDS = BareCloudEnvironment, CloudEnvironment
