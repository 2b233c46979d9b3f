# SPDX-License-Identifier: Apache-2.0

"""Where consumers meet Heat: a sandbox with a setting of the overlay.

All of those here need Keystone's tokens and Heat alone; the sandbox gives
both over HTTP, in a tenth of the time that a real Keystone takes to start.
"""

import json
import os
import threading

import fixtures

from tests.functional import base

LOCKER, CONSUMER = 'alice', 'bob'
_WINDOW = {'name': 'year-end', 'reason': 'no changes over the holidays',
           'begin': '2020-01-01T00:00:00', 'end': '2099-01-01T00:00:00'}


class Room(fixtures.Fixture):
    """A Heat, as long as the fixture is used.

    :param overlay: the setting ``status_overlay``
    """

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
            f'[heat_extras]\nstatus_overlay = {self.overlay}\n'
            f'freezes_file = {self._freezes}\n')))

    def client(self, project, user=LOCKER, *roles):
        """Make a client for somebody in a project of the tests."""
        return base.InProject(self.sandbox, project).client(user, *roles)

    def freeze(self, project):
        """Freeze what is in a project, from now on."""
        with self._lock:
            self._frozen.append(project)
            self._write_freezes()

    def environment(self, project):
        """Return the variables by which a consumer logs in.

        :returns: all of them, with a ``clouds.yaml`` for one project.
        """
        path = os.path.join(self.directory, f'{project}.clouds.yaml')
        with open(path, 'w') as target:
            # YAML is JSON, too.
            json.dump({'clouds': {CONSUMER: self._entry(project)}}, target)
        return {**{name: value for name, value in os.environ.items()
                   if not name.startswith('OS_')},
                **base.QUIET, 'OS_CLIENT_CONFIG_FILE': path,
                'OS_CLOUD': CONSUMER, 'HOME': self.directory}

    def _entry(self, project):
        url = self.sandbox.url.partition('/v1/')[0]
        return {'region_name': 'RegionOne', 'identity_api_version': 3,
                'auth': {'auth_url': f'{url}/identity/v3',
                         'username': CONSUMER, 'password': 'secret',
                         'project_name': project,
                         'user_domain_id': 'default',
                         'project_domain_id': 'default'}}

    def _write_freezes(self):
        path = self._freezes + '.new'
        with open(path, 'w') as target:
            json.dump({'freezes': [{**_WINDOW, 'projects': self._frozen}]
                       if self._frozen else []}, target)
        os.replace(path, self._freezes)
