# SPDX-License-Identifier: Apache-2.0

"""Neutron: networks without agents."""

from tests.harness.cloud import service


class Neutron(service.Service):
    """The network service: only its API, with a driver that does nothing.

    :cvar driver: the network driver; ``driver_path`` may contain another one.
    """

    driver, driver_path = 'test', ''
    name = 'neutron'
    databases = ('neutron',)
    catalog = (('network', ''),)

    def configure(self):
        self.copy('etc', 'neutron', 'api-paste.ini')
        self._file = self.host.write_ini(self.path('neutron.conf'), {
            'DEFAULT': {
                'core_plugin': 'ml2', 'service_plugins': 'router',
                'transport_url': self.host.transport,
                'state_path': self.path('state', ''),
                'api_paste_config': self.path('api-paste.ini'),
                'api_workers': 1, 'rpc_workers': 0,
                'notify_nova_on_port_status_changes': 'false',
                'notify_nova_on_port_data_changes': 'false'},
            'ml2': {
                'mechanism_drivers': self.driver, 'type_drivers': 'local',
                'tenant_network_types': 'local', 'extension_drivers': ''},
            'database': self.database_section(),
            'oslo_concurrency': {'lock_path': self.path('locks', '')},
            'keystone_authtoken': self.identity.token_section(self.name)})

    def synchronize(self):
        self.host.run('neutron-db-manage', '--config-file', self._file,
                      'upgrade', 'heads')

    def make_processes(self):
        self.api = self.host.web(
            self.name, 'neutron.wsgi.api', self.port, is_ready=self.answers,
            OS_NEUTRON_CONFIG_DIR=self.path(),
            # Otherwise, Neutron also requires plugins/ml2/ml2_conf.ini.
            OS_NEUTRON_CONFIG_FILES='neutron.conf',
            PYTHONPATH=self.driver_path)
