# SPDX-License-Identifier: Apache-2.0

"""Manila: shares of the dummy driver of its own tests."""

from tests.harness.cloud import service

BACKEND = 'dummy'
SHARE_TYPE = 'default'
_DRIVER = 'manila.tests.share.drivers.dummy.DummyDriver'


class Manila(service.Service):
    """The shared file system service: API, scheduler, one back end."""

    name = 'manila'
    databases = ('manila',)
    # Heat uses 'sharev2', newer clients 'shared-file-system'.
    catalog = (('sharev2', '/v2'), ('shared-file-system', '/v2'))

    def configure(self):
        self.copy('etc', 'manila', 'api-paste.ini')
        self._file = self.host.write_ini(self.path('manila.conf'), {
            'DEFAULT': {
                'transport_url': self.host.transport, 'host': 'share-1',
                'my_ip': service.HOST, 'auth_strategy': 'keystone',
                'api_paste_config': self.path('api-paste.ini'),
                'state_path': self.path('state', ''),
                'default_share_type': SHARE_TYPE,
                'enabled_share_backends': BACKEND,
                'enabled_share_protocols': 'NFS,CIFS'},
            BACKEND: {
                'share_driver': _DRIVER, 'share_backend_name': BACKEND,
                'driver_handles_share_servers': 'false'},
            'database': self.database_section(),
            'oslo_concurrency': {'lock_path': self.path('locks', '')},
            'coordination': {
                'backend_url': 'file://' + self.path('coordination', '')},
            'keystone_authtoken': self.identity.token_section(self.name),
            'oslo_messaging_notifications': {'driver': 'noop'}})

    def synchronize(self):
        self.host.run('manila-manage', '--config-file', self._file,
                      'db', 'sync')

    def make_processes(self):
        self.api = self.host.web(
            'manila-api', 'manila.wsgi.api', self.port,
            ['--config-file', self._file], is_ready=self.answers)
        self.scheduler, self.share = (
            self.host.process(name, [name, '--config-file', self._file])
            for name in ('manila-scheduler', 'manila-share'))

    def processes(self):
        return [self.api, self.scheduler, self.share]

    def settle(self):
        """Create the share type, and wait for the back end."""
        with self.identity.connect('admin', 'admin') as admin:
            shares = admin.shared_file_system
            shares.post('/types', json={'share_type': {
                'name': SHARE_TYPE,
                'extra_specs': {'driver_handles_share_servers': 'False'}}},
                microversion='2.50').raise_for_status()
            self.share.wait_until('to have a storage pool',
                                  lambda: list(shares.storage_pools()))
