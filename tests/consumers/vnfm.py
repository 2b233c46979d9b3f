# SPDX-License-Identifier: Apache-2.0

"""Released Tacker: server and conductor, with a real Keystone."""

import glob
import os
import sys
import zipfile

from tests.consumers import environments
from tests.consumers import scenarios
from tests.consumers import tacker
from tests.harness.cloud import glance
from tests.harness.cloud import service
from tests.harness.cloud import small_cloud
from tests.harness.cloud import users
from tests.harness import command
from tests.harness import waiting

_HERE = os.path.dirname(__file__)
_PROGRAM = os.path.join(_HERE, 'programs', 'tacker_vnf.py')
# The VNF package of the tests.
_PACKAGE = os.path.join(_HERE, 'vnf')
# What ETSI defines for all of them; Tacker brings it for its own tests.
_TYPES = ('lib', 'python*', 'site-packages', 'tacker', 'tests', 'unit', 'vnfm',
          'infra_drivers', 'openstack', 'data', 'etsi_nfv',
          'etsi_nfv_sol001_*_types.yaml')
_KIND = 'nfv-orchestration'
_TRIES, _SECONDS = 6, 30


class Tacker(service.Service):
    """The service for network functions."""

    name = 'tacker'
    databases = ('tacker',)
    catalog = ((_KIND, ''),)

    def configure(self):
        self._file = self.host.write_ini(self.path('tacker.conf'), {
            'DEFAULT': {'transport_url': self.host.transport,
                        'bind_host': service.HOST,
                        'bind_port': str(self.port),
                        'state_path': self.path('state', ''),
                        'api_paste_config': _installed(
                            'etc', 'tacker', 'api-paste.ini')},
            'database': self.database_section(),
            'glance_store': {'default_backend': 'file',
                             'filesystem_store_datadir': self.path(
                                 'csar_files', '')},
            'keystone_authtoken': self.identity.token_section(self.name),
            'oslo_concurrency': {'lock_path': self.path('locks', '')},
            'v2_vnfm': {'endpoint': self.url,
                        'enable_rollback_stack': 'true'},
            'vnf_package': {'vnf_package_csar_path': self.path(
                'packages', '')}})

    def synchronize(self):
        self.host.run(_installed('bin', 'tacker-db-manage'),
                      '--config-file', self._file, 'upgrade', 'head')

    def make_processes(self):
        self.api = self._process('tacker-server', self.answers)
        self.conductor = self._process('tacker-conductor')

    def processes(self):
        return [self.api, self.conductor]

    def onboard(self, session):
        """Upload the package of the VNF.

        :param session: of who is to use it
        """
        # Requests of the server before the conductor listens are lost.
        if not any(self._is_onboarded(session) for _ in range(_TRIES)):
            raise AssertionError('Tacker took no package: see '
                                 f'{self.conductor.log_path}')

    def _is_onboarded(self, session):
        url = f'{self.url}/vnfpkgm/v1/vnf_packages'
        made = session.post(url, json={}).json()['id']
        session.put(f'{url}/{made}/package_content', data=self._packed(),
                    headers={'Content-Type': 'application/zip'})
        return waiting.last(
            lambda: session.get(f'{url}/{made}').json()['onboardingState'],
            lambda state: state == 'ONBOARDED', _SECONDS) == 'ONBOARDED'

    def _process(self, name, is_ready=None):
        return self.host.process(name, [
            _installed('bin', name), '--config-file', self._file],
            is_ready=is_ready)

    def _packed(self):
        path = self.path('vnf.zip')
        with zipfile.ZipFile(path, 'w') as target:
            for file in glob.glob(f'{_PACKAGE}/**/*.*', recursive=True):
                target.write(file, os.path.relpath(file, _PACKAGE))
            for file in glob.glob(_installed(*_TYPES)):
                target.write(file, os.path.join(
                    'Definitions', os.path.basename(file)))
        with open(path, 'rb') as source:
            return source.read()


class Cloud(small_cloud.SmallCloud):
    """Keystone, Heat, Tacker, and Glance, which Tacker uses for images."""

    def _make_services(self):
        self._settings = {**self._settings, 'DEFAULT': {
            'environment_dir': os.path.join(_HERE, 'vnf_types')}}
        super()._make_services()
        self.glance = glance.Glance(self.host, self.keystone)
        self.tacker = Tacker(self.host, self.keystone)
        self._others += [self.glance, self.tacker]
        self._all += [self.glance, self.tacker]

    def _make_image_and_network(self):
        user = users.BY_NAME[environments.CONSUMER]
        with self.keystone.connect(
                user.name, user.project, user.password) as connection:
            self.tacker.onboard(connection.session)


class Environment(environments.ServiceEnvironment):
    """A cloud with Tacker and Heat."""

    kind = Cloud


class Scenario(scenarios.Nameless):
    """A VNF, named by the number of its case, and its stack."""

    def _make(self):
        command.check(words(self, scenarios.CREATE),
                      environment=self.environment.os_environ(self.project))
        return self._find()

    def _find(self):
        # The program has written the ID of the VNF to this file.
        path = _note(self)
        if not os.path.exists(path):
            return None
        with open(path) as source:
            return self._find_by_prefix(f'vnf-{source.read()}')


def release():
    """Return the name and release of the software."""
    return tacker.release()


def words(scenario, operation=None):
    """Return the command that runs an operation."""
    return [sys.executable, _PROGRAM, operation or scenario.operation,
            scenario.project, _note(scenario)]


def _note(scenario):
    return os.path.join(scenario.environment.directory,
                        f'{scenario.project}.vnf')


def _installed(*names):
    return os.path.join(os.path.dirname(os.path.dirname(tacker.python())),
                        *names)
