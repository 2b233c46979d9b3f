# SPDX-License-Identifier: Apache-2.0

"""Nova with servers of a fake driver."""

from tests.harness.cloud import service

DRIVER = 'fake.FakeDriverWithoutFakeNodes'
FLAVOR = 'tiny'


class Nova(service.Service):
    """The compute service: API, conductor, scheduler, one hypervisor.

    :ivar compute: the process nova-compute
    """

    name = 'nova'
    databases = ('nova_api', 'nova_cell0', 'nova')
    catalog = (('compute', '/v2.1'),)

    def configure(self):
        self.copy('etc', 'nova', 'api-paste.ini')
        self._file = self.host.write_ini(
            self.path('nova.conf'), self._settings())

    def _settings(self):
        account = self.identity.service_auth(self.name)
        return {
            'DEFAULT': {
                'compute_driver': DRIVER, 'host': 'compute-1',
                'my_ip': service.HOST, 'transport_url': self.host.transport,
                'state_path': self.path('state', ''),
                # There is only one host for a resize.
                'allow_resize_to_same_host': 'true',
                # Shelved servers stay SHELVED, and are not offloaded.
                'shelved_offload_time': -1},
            'api_database': self.database_section('nova_api'),
            'database': self.database_section('nova'),
            'keystone_authtoken': self.identity.token_section(self.name),
            'service_user': {**account, 'send_service_user_token': 'true'},
            'placement': account, 'neutron': account, 'glance': account,
            'conductor': {'workers': 1},
            'scheduler': {'workers': 1,
                          'discover_hosts_in_cells_interval': 3},
            'filter_scheduler': {'track_instance_changes': 'false'},
            'quota': {name: -1 for name in ('instances', 'cores', 'ram')},
            'vnc': {'enabled': 'false'},
            'oslo_concurrency': {'lock_path': self.path('locks', '')},
            'oslo_messaging_notifications': {'driver': 'noop'}}

    def synchronize(self):
        self._manage('api_db', 'sync')
        self._manage('cell_v2', 'map_cell0', '--database_connection',
                     self.host.database.database_url('nova_cell0'))
        self._manage('db', 'sync')
        self._manage('cell_v2', 'create_cell', '--name', 'cell1')

    def make_processes(self):
        self.api = self.host.web(
            'nova-api', 'nova.wsgi.osapi_compute', self.port,
            is_ready=self.answers, OS_NOVA_CONFIG_DIR=self.path())
        self.conductor, self.scheduler, self.compute = (
            self.host.process(name, [name, '--config-file', self._file])
            for name in ('nova-conductor', 'nova-scheduler', 'nova-compute'))

    def processes(self):
        return [self.conductor, self.api, self.scheduler, self.compute]

    def settle(self):
        """Create the flavor, and wait for the hypervisor.

        The scheduler must have added the hypervisor to the cell.
        """
        with self.identity.connect('admin', 'admin') as admin:
            # Without a disk, Nova allows only admins to create servers.
            admin.compute.create_flavor(
                name=FLAVOR, ram=64, vcpus=1, disk=1)
            self.compute.wait_until(
                'to be a hypervisor',
                lambda: list(admin.compute.hypervisors()))
            self.compute.wait_until(
                'to be in Placement', lambda: self._has_inventory(admin))

    def _has_inventory(self, admin):
        providers = admin.session.get(
            '/resource_providers?resources=MEMORY_MB:64,VCPU:1',
            endpoint_filter={'service_type': 'placement',
                             'interface': 'public'},
            headers={'OpenStack-API-Version': 'placement 1.14'})
        return providers.json()['resource_providers']

    def _manage(self, *arguments):
        self.host.run('nova-manage', '--config-file', self._file, *arguments)
