# SPDX-License-Identifier: Apache-2.0

"""Released Magnum: API and conductor, with a real Keystone."""

import functools
import os
import sys

from tests.consumers import environments
from tests.consumers import scenarios
from tests.harness.cloud import glance
from tests.harness.cloud import keystone
from tests.harness.cloud import service
from tests.harness.cloud import small_cloud
from tests.harness import command
from tests.harness import software

_HERE = os.path.dirname(__file__)
_PROGRAM = os.path.join(_HERE, 'programs', 'magnum_cluster.py')
_DRIVER = os.path.join(_HERE, 'driver')
_DISTRO = 'small'
_DOMAIN, _DOMAIN_ADMIN = 'magnum', 'magnum_domain_admin'


@functools.cache
def place():
    """Return the directory of Magnum; install it if needed."""
    return software.Software(
        'magnum-venv', 'HEAT_EXTRAS_MAGNUM_VENV',
        os.path.join(_HERE, 'magnum.txt')).environment()


class Magnum(service.Service):
    """The service for clusters, with an additional driver."""

    name = 'magnum'
    databases = ('magnum',)
    catalog = (('container-infra', '/v1'),)

    def configure(self):
        self._file = self.host.write_ini(self.path('magnum.conf'), {
            'DEFAULT': {'transport_url': self.host.transport,
                        'state_path': self.path('state', '')},
            'api': {'api_paste_config': self._installed(
                'etc', 'magnum', 'api-paste.ini')},
            'conductor': {'workers': '1'},
            'quotas': {'max_clusters_per_project': '100'},
            'database': self.database_section(),
            # By default, Magnum stores certificates in Barbican.
            'certificates': {'cert_manager_type': 'x509keypair'},
            'trust': {'trustee_domain_name': _DOMAIN,
                      'trustee_domain_admin_name': _DOMAIN_ADMIN,
                      'trustee_domain_admin_password': keystone.PASSWORD},
            **{f'{client}_client': {'region_name': keystone.REGION}
               for client in ('heat', 'glance', 'cinder', 'magnum')},
            'keystone_auth': self.identity.service_auth(self.name),
            'keystone_authtoken': self.identity.token_section(self.name),
            'oslo_concurrency': {'lock_path': self.path('locks', '')},
            'oslo_messaging_notifications': {'driver': 'noop'}})

    def synchronize(self):
        self.host.run(self._installed('bin', 'magnum-db-manage'),
                      '--config-file', self._file, 'upgrade')

    def make_processes(self):
        environment = {'PYTHONPATH': _DRIVER}
        self.api = self.host.web(
            'magnum-api', 'magnum.wsgi.api', self.port,
            ['--config-file', self._file], is_ready=self.answers,
            python=self._installed('bin', 'python'), **environment)
        self.conductor = self.host.process(
            'magnum-conductor', [self._installed('bin', 'magnum-conductor'),
                                 '--config-file', self._file], environment)

    def processes(self):
        return [self.api, self.conductor]

    def populate(self):
        """Create the domain of the trustees of clusters."""
        with self.identity.connect(keystone.ADMIN, keystone.ADMIN) as admin:
            domain = admin.identity.create_domain(name=_DOMAIN)
            user = admin.identity.create_user(
                name=_DOMAIN_ADMIN, password=keystone.PASSWORD,
                domain_id=domain.id)
            admin.identity.assign_domain_role_to_user(
                domain, user, admin.identity.find_role('admin'))

    def _installed(self, *names):
        return os.path.join(place(), *names)


class Cloud(small_cloud.SmallCloud):
    """Keystone, Heat, Magnum, and Glance for the image of Magnum."""

    def _make_services(self):
        super()._make_services()
        self.glance = glance.Glance(self.host, self.keystone)
        self.magnum = Magnum(self.host, self.keystone)
        self._others += [self.glance, self.magnum]
        self._all += [self.glance, self.magnum]

    def _start_others(self):
        self.magnum.populate()
        super()._start_others()

    def _make_image_and_network(self):
        with self.keystone.connect(
                keystone.ADMIN, keystone.ADMIN) as connection:
            connection.image.create_image(
                _DISTRO, data=bytes(1024), disk_format='raw',
                container_format='bare', visibility='public',
                os_distro=_DISTRO)
            answer = connection.session.post(
                f'{self.magnum.url}/v1/clustertemplates', json={
                    'name': _DISTRO, 'image_id': _DISTRO, 'coe': 'kubernetes',
                    'labels': {'boot_volume_size': '1'}, 'public': True})
            if answer.status_code != 201:
                raise AssertionError(answer.text)


class Environment(environments.KeystoneEnvironment):
    """A cloud with Magnum and Heat."""

    kind = Cloud


class Scenario(scenarios.Nameless):
    """A cluster, named by the number of its case, and its stack."""

    def _make(self):
        command.check(words(self, scenarios.CREATE),
                      environment=self.environment.os_environ(self.project))
        return self._find()

    def _find(self):
        return self._find_by_prefix(f'{self.project}-')


def words(scenario, operation=None):
    """Return the command that runs an operation."""
    return [sys.executable, _PROGRAM, operation or scenario.operation,
            scenario.project]
