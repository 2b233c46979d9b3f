# SPDX-License-Identifier: Apache-2.0

"""Heat with heat-extras from the environment of the tests."""

import os
import sys

import novaclient

from tests.harness.cloud import keystone
from tests.harness.cloud import service
from tests.harness import command
from tests.harness.engines import engine
from tests.harness import installation

ENGINES = ('engine-1', 'engine-2')
DOMAIN = 'heat'
DOMAIN_ADMIN = 'heat_domain_admin'
PERIODIC_SECONDS = 2
_ENCRYPTION_KEY = 'cloud-cloud-cloud-cloud-cloud-32'


class Heat(service.Service):
    """The orchestration service, configured as in README.rst.

    :param settings: more for heat.conf, as a dict of sections
    :ivar engines: processes by name
    :ivar freezes_file: the file of both engines, without windows
    """

    name = 'heat'
    databases = ('heat',)
    catalog = (('orchestration', '/v1/%(project_id)s'),)

    def __init__(self, host, identity, settings=None):
        super().__init__(host, identity)
        self._more = settings or {}
        self.cfn = Cfn(host, identity)

    def configure(self):
        self.freezes_file = self.path('freezes.yaml')
        with open(self.freezes_file, 'w') as target:
            target.write('freezes: []\n')
        self.file = self.host.write_ini(self.path('heat.conf'),
                                        self._settings())
        for name in ENGINES:
            self.host.write_ini(self.path(f'{name}.conf'),
                                {'DEFAULT': {'host': name}})

    def _settings(self):
        settings = {
            'DEFAULT': self._default_section(),
            'database': self.database_section(),
            'keystone_authtoken': self.identity.token_section(self.name),
            'trustee': self.identity.unscoped_auth(self.name),
            'clients_keystone': {'auth_uri': self.identity.auth_url},
            # Keystone rejects /v3/ec2tokens without a service token, and
            # heat.api.aws.ec2token appends /v3/ec2tokens to the URL in the
            # catalog.
            'ec2authtoken': {**self.identity.service_auth(self.name),
                             'endpoint_override': self.identity.url},
            'oslo_messaging_notifications': {
                'driver': 'messagingv2', 'topics': 'notifications'},
            'paste_deploy': {'api_paste_config': installation.shipped_paste()},
            'heat_extras': {'features': 'all',
                            'freezes_file': self.freezes_file}}
        for section, values in self._more.items():
            settings.setdefault(section, {}).update(values)
        return settings

    def _default_section(self):
        etc = os.path.join(sys.prefix, 'etc', 'heat')
        return {
            'transport_url': self.host.transport,
            'auth_encryption_key': _ENCRYPTION_KEY,
            'region_name_for_services': keystone.REGION,
            'stack_user_domain_name': DOMAIN,
            'stack_domain_admin': DOMAIN_ADMIN,
            'stack_domain_admin_password': keystone.PASSWORD,
            'environment_dir': os.path.join(etc, 'environment.d'),
            'template_dir': os.path.join(etc, 'templates'),
            'heat_metadata_server_url': self.cfn.url,
            'heat_waitcondition_server_url': (
                f'{self.cfn.url}/v1/waitcondition'),
            # Heat 24 uses the newest microversion of Nova, which its
            # novaclient may not support (UnsupportedVersion).
            'max_nova_api_microversion':
                novaclient.API_MAX_VERSION.get_string(),
            'num_engine_workers': 1,
            # Killed engines must be noticed soon.
            'periodic_interval': PERIODIC_SECONDS,
            'engine_life_check_timeout': 2, 'rpc_response_timeout': 60,
            'enable_stack_abandon': 'true', 'enable_stack_adopt': 'true'}

    def synchronize(self):
        self.manage('heat-manage', 'db_sync')
        self.manage('heat-extras-manage', 'db_sync')

    def manage(self, program, *arguments):
        """Run a command of Heat or heat-extras; returns its output."""
        return self.host.run(command.program(program), '--config-file',
                             self.file, *arguments)

    def make_processes(self):
        self.api = self._web('heat-api', 'heat.wsgi.api', self)
        self.cfn.api = self._web(
            'heat-api-cfn', 'heat.wsgi.cfn', self.cfn, self.cfn.configure())
        self.engines = {name: self._engine(name) for name in ENGINES}

    def processes(self):
        return [*self.engines.values(), self.api, self.cfn.api]

    def populate(self):
        """Create the same domain as ``heat-keystone-setup-domain``."""
        with self.identity.connect(keystone.ADMIN, keystone.ADMIN) as admin:
            identity = admin.identity
            domain = identity.create_domain(name=DOMAIN)
            user = identity.create_user(
                name=DOMAIN_ADMIN, password=keystone.PASSWORD,
                domain_id=domain.id)
            identity.assign_domain_role_to_user(
                domain, user, identity.find_role('admin'))
            for role in ('heat_stack_owner', 'heat_stack_user'):
                identity.create_role(name=role)

    def engine_id(self, name):
        """Return the ID of the newest engine with a name, or None."""
        rows = self.host.database.execute(
            f"SELECT engine_id FROM heat.service WHERE host = '{name}' AND "
            'deleted_at IS NULL ORDER BY created_at DESC LIMIT 1')
        return rows[0][0] if rows else None

    def engine_at_work(self, stack_id):
        """Return the engine that locks or unlocks a stack, or None."""
        (engine_id,), = self.host.database.execute(
            'SELECT g.engine_id FROM heat.stack s LEFT JOIN '
            'heat.heat_extras_guard g ON g.id = s.lock_id '
            f"WHERE s.id = '{stack_id}'")
        return next((engine for name, engine in self.engines.items()
                     if engine_id and self.engine_id(name) == engine_id), None)

    def _engine(self, name):
        return self.host.process(
            name, [command.program('heat-engine'), '--config-file', self.file,
                   '--config-file', self.path(f'{name}.conf')],
            kind=engine.Engine, find_id=self.engine_id)

    def _web(self, name, module, served, *files):
        arguments = [word for path in (self.file, *files)
                     for word in ('--config-file', path)]
        return self.host.web_of_tests(
            name, module, served.port, arguments, is_ready=served.answers)


class Cfn(service.Service):
    """The cfn API of Heat, whose process :class:`Heat` creates."""

    name = 'heat-cfn'
    catalog = (('cloudformation', '/v1'),)

    def configure(self):
        # Heat's cfn controllers enforce their rules without a target, so
        # its new defaults ("... and project_id:%(project_id)s") reject all
        # requests.
        return self.host.write_ini(self.path('cfn.conf'), {
            'oslo_policy': {'enforce_new_defaults': 'false'}})
