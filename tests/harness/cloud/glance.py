# SPDX-License-Identifier: Apache-2.0

"""Glance: images, in files."""

from tests.harness.cloud import service


class Glance(service.Service):
    """The image service."""

    name = 'glance'
    databases = ('glance',)
    catalog = (('image', ''),)

    def configure(self):
        self.copy('etc', 'glance', 'glance-api-paste.ini')
        self._file = self.host.write_ini(self.path('glance-api.conf'), {
            'DEFAULT': {
                'enabled_backends': 'files:file',
                'enabled_import_methods': '[web-download,glance-direct]',
                'log_file': ''},
            'database': self.database_section(),
            'glance_store': {'default_backend': 'files'},
            'files': {'filesystem_store_datadir': self.path('images', '')},
            'os_glance_staging_store': {
                'filesystem_store_datadir': self.path('staging', '')},
            'os_glance_tasks_store': {
                'filesystem_store_datadir': self.path('tasks', '')},
            # By default, web-download allows only ports 80 and 443, and no
            # loopback addresses.
            'import_filtering_opts': {
                'allowed_ports': '[]', 'allowed_hosts': f'[{service.HOST}]'},
            'keystone_authtoken': self.identity.token_section(self.name),
            'paste_deploy': {'flavor': 'keystone'},
            'oslo_messaging_notifications': {'driver': 'noop'}})

    def synchronize(self):
        self.host.run('glance-manage', '--config-file', self._file,
                      'db_sync')

    def make_processes(self):
        self.api = self.host.web(
            self.name, 'glance.wsgi.api', self.port, is_ready=self.answers,
            OS_GLANCE_CONFIG_DIR=self.path())
