# SPDX-License-Identifier: Apache-2.0

"""A cloud with Keystone and Heat only."""

from tests.harness.cloud import cloud
from tests.harness.cloud import heat
from tests.harness.cloud import keystone


class SmallCloud(cloud.Cloud):
    """Keystone, both APIs of Heat, and two engines."""

    def _make_services(self):
        self.keystone = keystone.Keystone(self.host)
        self.heat = heat.Heat(self.host, self.keystone,
                              settings=self._settings)
        self._others = [self.heat]
        self._all = [self.keystone, self.heat]

    def _make_image_and_network(self):
        """Create no resources, because the services are not deployed."""
