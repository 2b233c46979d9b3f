# SPDX-License-Identifier: Apache-2.0

"""Environments for consumers: a sandbox, or a cloud with a service.

The consumers need only Keystone's tokens and Heat. The sandbox has both over
HTTP, and starts in a tenth of the time of a real Keystone.
:class:`KeystoneEnvironment` has a real Keystone.
"""

import json
import os

import fixtures

from tests.functional import base
from tests.harness.cloud import small_cloud

LOCKER, CONSUMER = 'alice', 'bob'
WINDOW = {'name': 'year-end', 'reason': 'no changes over the holidays',
          'begin': '2020-01-01T00:00:00', 'end': '2099-01-01T00:00:00'}


class SandboxEnvironment(fixtures.Fixture):
    """A Heat, as long as the fixture is used."""

    def __init__(self):
        super().__init__()
        self._frozen = []

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self._freezes = os.path.join(self.directory, 'freezes.yaml')
        self._write_freezes()
        self.sandbox = self.useFixture(base.Sandbox(settings=(
            f'[heat_extras]\nfreezes_file = {self._freezes}\n')))

    def client(self, project, user=LOCKER, *roles):
        """Make a client for a user in a project of the tests."""
        return base.InProject(self.sandbox, project).client(user, *roles)

    @property
    def log_path(self):
        return self.sandbox.log_path

    def consumer(self):
        """Return the consumer, as a pass names it."""
        return {'id': CONSUMER}

    def freeze(self, project):
        """Freeze what is in a project, from now on."""
        self._frozen.append(project)
        self._write_freezes()

    def os_environ(self, project):
        """Return the variables by which a consumer logs in.

        :returns: all of them, with a ``clouds.yaml`` for one project.
        """
        path = os.path.join(self.directory, f'{project}.clouds.yaml')
        with open(path, 'w') as target:
            # JSON is also YAML.
            json.dump({'clouds': {CONSUMER: self._entry(project)}}, target)
        return {**{name: value for name, value in os.environ.items()
                   if not name.startswith('OS_')},
                **base.QUIET, 'OS_CLIENT_CONFIG_FILE': path,
                'OS_CLOUD': CONSUMER, 'HOME': self.directory}

    @property
    def auth_url(self):
        """Return the URL of the replacement for Keystone."""
        return self.sandbox.url.partition('/v1/')[0] + '/identity/v3'

    def _entry(self, project):
        return {'region_name': 'RegionOne', 'identity_api_version': 3,
                'auth': {'auth_url': self.auth_url,
                         'username': CONSUMER, 'password': 'secret',
                         'project_name': project,
                         'user_domain_id': 'default',
                         'project_domain_id': 'default'}}

    def _write_freezes(self):
        path = self._freezes + '.new'
        with open(path, 'w') as target:
            json.dump({'freezes': [{**WINDOW, 'projects': self._frozen}]
                       if self._frozen else []}, target)
        os.replace(path, self._freezes)


class KeystoneEnvironment(fixtures.Fixture):
    """Keystone and Heat as processes, with MariaDB and RabbitMQ.

    All cases use the project of the user who locks, so there is only one stack
    at a time.

    :cvar kind: the class of the cloud, which can have more services
    """

    kind = small_cloud.SmallCloud

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.cloud = self.useFixture(self.kind())
        self.log_path = self.cloud.logs()['heat-api']
        self.owner = self.client(None)

    def client(self, project, user=LOCKER):
        """Make a client for a user."""
        return self.cloud.client(user)

    def consumer(self):
        """Return the consumer, as a pass names it."""
        return {'name': CONSUMER, 'domain': 'Default'}

    def os_environ(self, project):
        """Return the variables by which a consumer logs in."""
        return {**base.QUIET, 'PATH': os.environ['PATH'],
                'OS_CLIENT_CONFIG_FILE': self.cloud.clouds_file,
                'OS_CLOUD': CONSUMER, 'HOME': self.directory}

    def freeze(self, project):
        """Freeze all projects: no other case is running at that time."""
        self._write_freezes([
            {**WINDOW, 'projects': [self.owner.project_id]}])

    def thaw(self):
        """Remove the freeze of the previous case."""
        self._write_freezes([])

    def _write_freezes(self, freezes):
        path = self.cloud.heat.freezes_file
        with open(path + '.new', 'w') as target:
            json.dump({'freezes': freezes}, target)
        os.replace(target.name, path)
