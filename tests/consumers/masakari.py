# SPDX-License-Identifier: Apache-2.0

"""Released Masakari: API and engine, and two compute hosts."""

import datetime
import functools
import os

from tests.harness.cloud import cloud
from tests.harness.cloud import keystone
from tests.harness.cloud import nova
from tests.harness.cloud import service
from tests.harness import software
from tests.harness import unreliable_service
from tests.harness import waiting

_HERE = os.path.dirname(__file__)
COMPUTES = ('compute-1', 'compute-2')
# The proxy that can delay only requests of Masakari to Nova.
_REGION = 'Watched'
_SECONDS = 420
_AT_REST = ('finished', 'error', 'failed', 'ignored')


@functools.cache
def place():
    """Return the directory of Masakari; install it if needed."""
    return software.Software(
        'masakari-venv', 'HEAT_EXTRAS_MASAKARI_VENV',
        os.path.join(_HERE, 'masakari.txt')).environment()


class Nova(nova.Nova):
    """Nova with a second hypervisor as target of evacuations.

    :ivar computes: processes by the names of their hosts
    """

    def make_processes(self):
        super().make_processes()
        name = COMPUTES[1]
        # Nova writes the ID of the node into a file of this directory.
        second = self.host.write_ini(self.path(f'{name}.conf'), {'DEFAULT': {
            'host': name, 'state_path': self.path(name, '')}})
        self.computes = {COMPUTES[0]: self.compute, name: self.host.process(
            f'nova-{name}', ['nova-compute', '--config-file', self._file,
                             '--config-file', second])}

    def processes(self):
        return [*super().processes(), self.computes[COMPUTES[1]]]

    def _has_inventory(self, admin):
        return len(super()._has_inventory(admin)) == len(COMPUTES)


class Masakari(service.Service):
    """The service that recovers servers, as an admin of a separate project.

    :ivar engine: the process that does it
    """

    name = 'masakari'
    databases = ('masakari',)
    catalog = (('instance-ha', '/v1/%(project_id)s'),)

    def configure(self):
        with open(self._installed('etc', 'masakari', 'api-paste.ini')
                  ) as source, open(self.path('api-paste.ini'), 'w') as target:
            target.write(source.read())
        account = self.identity.service_auth(self.name)
        self._file = self.host.write_ini(self.path('masakari.conf'), {
            'DEFAULT': {
                'host': 'masakari', 'transport_url': self.host.transport,
                'state_path': self.path('state', ''),
                'auth_strategy': 'keystone',
                'masakari_api_listen': service.HOST,
                'masakari_api_listen_port': self.port,
                'masakari_api_workers': 1,
                'nova_catalog_admin_info': 'compute:nova-compute:publicURL',
                'os_region_name': _REGION,
                'os_privileged_user_name': account['username'],
                'os_privileged_user_password': account['password'],
                'os_privileged_user_tenant': account['project_name'],
                'os_privileged_user_auth_url': account['auth_url'],
                'os_user_domain_name': 'Default',
                'os_project_domain_name': 'Default',
                # Accept several failures of the same host.
                'duplicate_notification_detection_interval': 1,
                'wait_period_after_service_update': 1,
                # Do not retry failed recoveries during the next test.
                'process_unfinished_notifications_interval': 36000,
                # Busy machines need more time.
                'wait_period_after_evacuation': 300},
            'wsgi': {'api_paste_config': self.path('api-paste.ini')},
            'instance_failure': {'process_all_instances': 'true'},
            'database': self.database_section(),
            'taskflow': {'connection': self.database_section()['connection']},
            'keystone_authtoken': self.identity.token_section(self.name),
            'oslo_concurrency': {'lock_path': self.path('locks', '')},
            'oslo_messaging_notifications': {'driver': 'noop'}})

    def synchronize(self):
        self.host.run(self._installed('bin', 'masakari-manage'),
                      '--config-file', self._file, 'db', 'sync')

    def make_processes(self):
        # By its own server: in one with threads it hangs, for its locks are
        # eventlet's.
        self.api, self.engine = (
            self.host.process(name, [self._installed('bin', name),
                                     '--config-file', self._file], **more)
            for name, more in (('masakari-api', {'is_ready': self.answers}),
                               ('masakari-engine', {})))

    def processes(self):
        return [self.api, self.engine]

    def watch(self, nova_url):
        """Set the URL by which Masakari uses Nova."""
        with self.identity.connect(keystone.ADMIN, keystone.ADMIN) as admin:
            admin.identity.create_region(id=_REGION)
            admin.identity.create_endpoint(
                service_id=admin.identity.find_service('nova-compute').id,
                interface='public', region_id=_REGION, url=nova_url)

    def _installed(self, *names):
        return os.path.join(place(), *names)


class Cloud(cloud.Cloud):
    """A cloud with Masakari and two computes.

    :ivar nova_front: an :class:`unreliable_service.UnreliableService` that
        Masakari asks in Nova's place.
    """

    def _make_services(self):
        super()._make_services()
        others = [each for each in self._others
                  if each not in (self.nova, self.manila)]
        self.nova = Nova(self.host, self.keystone)
        self.masakari = Masakari(self.host, self.keystone)
        self._others = [self.nova, *others, self.masakari]
        self._all = [self.keystone, *self._others]
        self.nova_front = self.useFixture(
            unreliable_service.UnreliableService(self.nova.url))

    def _start_others(self):
        self.masakari.watch(self.nova_front.url + self.nova.catalog[0][1])
        super()._start_others()


class Monitors:
    """The monitors that report failures to Masakari, and check recoveries.

    :param admin: an administrator's :class:`tests.harness.cloud.client.Client`
    """

    def __init__(self, admin):
        self._admin = admin
        segment = self._send('POST', '/segments', segment={
            'name': 'all', 'recovery_method': 'auto',
            'service_type': 'COMPUTE'})['segment']['uuid']
        self._hosts = f'/segments/{segment}/hosts'
        self._ids = {name: self._send('POST', self._hosts, host={
            'name': name, 'type': 'COMPUTE', 'control_attributes': 'SSH',
        })['host']['uuid'] for name in COMPUTES}

    def server_failed(self, host, server_id):
        """Report a server that stopped unexpectedly.

        :returns: the id of the notification
        """
        return self._notify('VM', host, {
            'event': 'LIFECYCLE', 'instance_uuid': server_id,
            'vir_domain_event': 'STOPPED_FAILED'})

    def host_failed(self, host):
        """Report a host that is down."""
        return self._notify('COMPUTE_HOST', host, {
            'event': 'STOPPED', 'host_status': 'NORMAL',
            'cluster_status': 'OFFLINE'})

    def outcome(self, notification_id):
        """Wait until a failure is processed, and return the status."""
        return waiting.until(
            'Masakari to be through', lambda: self._send(
                'GET', f'/notifications/{notification_id}'
            )['notification']['status'], lambda status: status in _AT_REST,
            _SECONDS)

    def is_back(self, host):
        """Report that a host can be used again."""
        self._send('PUT', f'{self._hosts}/{self._ids[host]}', host={
            'on_maintenance': False})

    def _notify(self, kind, host, payload):
        now = datetime.datetime.now(datetime.timezone.utc)
        return self._send('POST', '/notifications', notification={
            'type': kind, 'hostname': host, 'payload': payload,
            'generated_time': now.strftime('%Y-%m-%dT%H:%M:%S'),
        })['notification']['notification_uuid']

    def _send(self, method, path, **body):
        answer = self._admin.call('instance-ha', method, path,
                                  **({'json': body} if body else {}))
        if answer.status_code >= 400:
            raise AssertionError(
                f'{method} {path}: {answer.status_code} {answer.text}')
        return answer.json()
