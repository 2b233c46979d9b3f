# SPDX-License-Identifier: Apache-2.0

"""Environments for consumers: a sandbox with a setting of the overlay.

The consumers need only Keystone's tokens and Heat. The sandbox has both over
HTTP, and starts in a tenth of the time of a real Keystone.
:class:`KeystoneEnvironment` has a real Keystone, and
:class:`ProjectPerCaseEnvironment` also has projects.
"""

import dataclasses
import json
import os
import threading

import fixtures

from tests.functional import base
from tests.harness.cloud import client
from tests.harness.cloud import keystone
from tests.harness.cloud import small_cloud
from tests.harness.cloud import users

LOCKER, CONSUMER = 'alice', 'bob'
WINDOW = {'name': 'year-end', 'reason': 'no changes over the holidays',
          'begin': '2020-01-01T00:00:00', 'end': '2099-01-01T00:00:00'}


class SandboxEnvironment(fixtures.Fixture):
    """A Heat, as long as the fixture is used.

    :param overlay: the setting ``status_overlay``
    :cvar keystone: its release, where what else runs on a sandbox was asked to
        run on a real one
    :cvar settings: more for heat.conf
    :cvar is_shared: whether all cases are in one project
    """

    keystone = None
    settings = ''
    is_shared = False

    def __init__(self, overlay):
        super().__init__()
        self.overlay = overlay
        self._frozen = []
        self._lock = threading.Lock()

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self._freezes = os.path.join(self.directory, 'freezes.yaml')
        self._write_freezes()
        self.sandbox = self.useFixture(base.Sandbox(settings=(
            self.settings + f'[heat_extras]\nstatus_overlay = {self.overlay}\n'
            f'freezes_file = {self._freezes}\n')))

    def client(self, project, user=LOCKER, *roles):
        """Make a client for a user in a project of the tests."""
        return base.InProject(self.sandbox, project).client(user, *roles)

    @property
    def log_path(self):
        return self.sandbox.log_path

    def rows(self):
        """Return the number of rows of each table of Heat's database."""
        with self.sandbox.database() as database:
            return {name: database.execute(
                f'SELECT COUNT(*) FROM "{name}"').fetchone()[0]
                for name, in database.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table'")}

    def consumer(self):
        """Return the consumer, as a pass names it."""
        return {'id': CONSUMER}

    def freeze(self, project):
        """Freeze what is in a project, from now on."""
        with self._lock:
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
    """

    keystone = None

    def _setUp(self):
        self.directory = self.useFixture(fixtures.TempDir()).path
        self.cloud = self.useFixture(self._make_cloud())
        self.log_path = self.cloud.logs()['heat-api']

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

    def _make_cloud(self):
        return small_cloud.SmallCloud()


class ServiceEnvironment(KeystoneEnvironment):
    """A cloud with a service and Heat; all cases use one project.

    :param overlay: the setting ``status_overlay``
    :cvar kind: the class of a cloud that has the service
    """

    kind = None
    is_shared = True

    def __init__(self, overlay):
        super().__init__()
        self.overlay = overlay
        # Cases that run at the same time add and remove freezes.
        self._lock = threading.Lock()

    def _setUp(self):
        super()._setUp()
        self.owner = self.client(None)

    def freeze(self, project):
        """Freeze all projects: no other case is running at that time."""
        self._write_freezes([
            {**WINDOW, 'projects': [self.owner.project_id]}])

    def thaw(self):
        """Remove the freeze of the previous case."""
        self._write_freezes([])

    def _make_cloud(self):
        return self.kind(settings={
            'heat_extras': {'status_overlay': self.overlay}})

    def _write_freezes(self, freezes):
        path = self.cloud.heat.freezes_file
        with self._lock:
            with open(path + '.new', 'w') as target:
                json.dump({'freezes': freezes}, target)
            os.replace(target.name, path)


class ProjectPerCaseEnvironment(ServiceEnvironment):
    """Keystone and Heat, where each case has its own project.

    Freezes are not removed, because projects are not used again.
    """

    kind = small_cloud.SmallCloud
    is_shared = False

    def _setUp(self):
        self._frozen = []
        super()._setUp()
        self.keystone = self.cloud.keystone.release()

    def client(self, project, user=LOCKER):
        """Make a client for a user; create the user's project if needed."""
        person = self._person(user, project)
        with self.cloud.keystone.connect(
                keystone.ADMIN, keystone.ADMIN) as admin:
            keystone.make_person(admin.identity, person)
        return client.Client(self.cloud, person)

    def freeze(self, project):
        """Freeze what is in a project, from now on."""
        # Build the list under the lock: other cases also add freezes.
        self._frozen.append(self.client(project).project_id)
        self._write_freezes([{**WINDOW, 'projects': self._frozen}])

    def os_environ(self, project):
        """Return the variables by which a consumer logs in."""
        path = os.path.join(self.directory, f'{project}.clouds.yaml')
        self.client(project, CONSUMER)
        self.cloud.write_clouds(path, [self._person(CONSUMER, project)])
        return {**super().os_environ(project), 'OS_CLIENT_CONFIG_FILE': path}

    def _person(self, user, project):
        person = users.BY_NAME[user]
        return (dataclasses.replace(person, project=project) if project
                else person)
