# SPDX-License-Identifier: Apache-2.0

"""Placement, which Nova's scheduler uses."""

from tests.harness.cloud import service


class Placement(service.Service):
    """The placement service."""

    name = 'placement'
    databases = ('placement',)
    catalog = (('placement', ''),)

    def configure(self):
        self._file = self.host.write_ini(self.path('placement.conf'), {
            'api': {'auth_strategy': 'keystone'},
            'placement_database': self.database_section(),
            'keystone_authtoken': self.identity.token_section(self.name)})

    def synchronize(self):
        self.host.run('placement-manage', '--config-file', self._file,
                      'db', 'sync')

    def make_processes(self):
        self.api = self.host.web(
            self.name, 'placement.wsgi.api', self.port,
            is_ready=self.answers, OS_PLACEMENT_CONFIG_DIR=self.path())
