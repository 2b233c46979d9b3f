# SPDX-License-Identifier: Apache-2.0

"""Keystone: users, projects, the catalog."""

import base64
import os

import openstack

from tests.harness.cloud import service
from tests.harness.cloud import users

REGION = 'RegionOne'
ADMIN = 'admin'
PASSWORD = 'secret'
SERVICE_PROJECT = 'service'
_KEYS = ('fernet-keys', 'credential-keys')


class Keystone(service.Service):
    """The identity service."""

    name = 'keystone'
    databases = ('keystone',)

    @property
    def auth_url(self):
        return f'{self.url}/v3'

    def configure(self):
        for directory in _KEYS:
            self._write_keys(directory)
        self._file = self.host.write_ini(self.path('keystone.conf'), {
            'DEFAULT': {'log_file': ''},
            'database': self.database_section(),
            'token': {'provider': 'fernet'},
            'fernet_tokens': {'key_repository': self.path(_KEYS[0], '')},
            # By default, Keystone uses the token keys in /etc.
            'fernet_receipts': {'key_repository': self.path(_KEYS[0], '')},
            'credential': {'key_repository': self.path(_KEYS[1], '')},
            # Fast and insecure.
            'identity': {'password_hash_rounds': 4},
            'oslo_messaging_notifications': {'driver': 'noop'}})

    def synchronize(self):
        self._manage('db_sync')
        self._manage(
            'bootstrap', '--bootstrap-password', PASSWORD,
            '--bootstrap-public-url', self.auth_url,
            '--bootstrap-internal-url', self.auth_url,
            '--bootstrap-admin-url', self.auth_url,
            '--bootstrap-region-id', REGION)

    def make_processes(self):
        # As with uWSGI in devstack: processes without threads.
        self.api = self.host.web(
            self.name, 'keystone.wsgi.api', self.port,
            is_ready=self.answers, one_at_a_time=True,
            OS_KEYSTONE_CONFIG_FILES=self._file)

    def populate(self, services):
        """Create the catalog, the users of services, and the test users."""
        with self.connect(ADMIN, ADMIN) as connection:
            for entry in services:
                self._register(connection.identity, entry)
            self._make_people(connection.identity)

    def connect(self, username, project, password=PASSWORD):
        """Log in; returns a connection of openstacksdk."""
        return openstack.connection.Connection(
            region_name=REGION, auth_type='password', auth={
                'auth_url': self.auth_url, 'username': username,
                'password': password, 'project_name': project,
                'user_domain_id': 'default', 'project_domain_id': 'default'})

    def release(self):
        """Return the exact release of Keystone."""
        return self.host.run(
            'python', '-c', 'from importlib import metadata; '
            f'print(metadata.version("{self.name}"))').strip()

    def service_auth(self, name):
        """Return the settings with which a service logs in."""
        return {'auth_type': 'password', 'auth_url': self.auth_url,
                'username': name, 'password': PASSWORD,
                'user_domain_id': 'default',
                'project_name': SERVICE_PROJECT,
                'project_domain_id': 'default', 'region_name': REGION}

    def unscoped_auth(self, name):
        """Return these settings without a scope, for use with trusts."""
        return {key: value for key, value in self.service_auth(name).items()
                if not key.startswith('project')}

    def token_section(self, name):
        """Return the section keystone_authtoken of a service."""
        return {**self.service_auth(name),
                'www_authenticate_uri': self.auth_url,
                'service_token_roles': 'service',
                'service_token_roles_required': 'true'}

    def _write_keys(self, directory):
        """Create keys like fernet_setup and credential_setup, but faster."""
        for number in '01':
            with open(self.path(directory, number), 'wb') as target:
                target.write(base64.urlsafe_b64encode(os.urandom(32)))
            os.chmod(target.name, 0o600)
        os.chmod(os.path.dirname(target.name), 0o700)

    def _register(self, identity, entry):
        project = _ensure(identity.find_project, identity.create_project,
                          SERVICE_PROJECT)
        user = identity.create_user(
            name=entry.name, password=PASSWORD, domain_id='default')
        # Both: without 'service', Neutron answers Nova's service token with
        # 401, and Keystone does not validate EC2 signatures for Heat.
        for name in ('admin', 'service'):
            identity.assign_project_role_to_user(
                project, user, identity.find_role(name))
        for kind, path in entry.catalog:
            made = identity.create_service(
                name=f'{entry.name}-{kind}', type=kind)
            identity.create_endpoint(
                service_id=made.id, interface='public', region_id=REGION,
                url=entry.url + path)

    def _make_people(self, identity):
        for person in users.ALL:
            make_person(identity, person)

    def _manage(self, *arguments):
        return self.host.run('keystone-manage', '--config-file', self._file,
                             *arguments)


def make_person(identity, person):
    """Create a user and a project if they do not exist.

    :param identity: of a connection of openstacksdk as an administrator.
    """
    project = _ensure(identity.find_project, identity.create_project,
                      person.project)
    user = identity.find_user(person.name) or identity.create_user(
        name=person.name, password=person.password,
        domain_id='default', default_project_id=project.id)
    identity.assign_project_role_to_user(
        project, user, identity.find_role(person.role))


def _ensure(find, create, name):
    return find(name) or create(name=name, domain_id='default')
