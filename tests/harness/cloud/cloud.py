# SPDX-License-Identifier: Apache-2.0

"""A real cloud on the loopback interface, with Heat and heat-extras."""

import atexit
import concurrent.futures
import json
import os

import fixtures

from tests.harness.cloud import client
from tests.harness.cloud import glance
from tests.harness.cloud import heat
from tests.harness.cloud import host
from tests.harness.cloud import keystone
from tests.harness.cloud import manila
from tests.harness.cloud import neutron
from tests.harness.cloud import nova
from tests.harness.cloud import placement
from tests.harness.cloud import users
from tests.harness import command
from tests.harness.services import mariadb

IMAGE = 'zeros'
NETWORK = 'private'
_AT_A_TIME = 2
_shared = {}


def shared():
    """Return the running cloud of the test process.

    It is stopped when the process ends; run the tests in one process.
    """
    if 'error' in _shared:
        # The start takes minutes, so it is not repeated for each class.
        raise AssertionError('The cloud did not start: see the first test '
                             'that needed it.') from _shared['error']
    if 'cloud' not in _shared:
        started = Cloud()
        try:
            started.setUp()
        except Exception as error:
            _shared['error'] = error
            raise
        atexit.register(started.cleanUp)
        _shared['cloud'] = started
    return _shared['cloud']


class Cloud(fixtures.Fixture):
    """A cloud that runs as long as the fixture is used.

    :param settings: more for heat.conf, as a dict of sections
    :param database: class of the database server of all services
    :ivar host: directory, database, broker, processes
    """

    def __init__(self, settings=None, database=mariadb.MariaDB):
        super().__init__()
        self._settings = settings
        self._database = database

    def _setUp(self):
        self.host = self.useFixture(host.Host(self._database))
        self._make_services()
        for service in self._all:
            service.prepare()
        self._synchronize()
        self._start_keystone()
        self._start_others()
        self._make_image_and_network()
        self.clouds_file = self.write_clouds(
            self.host.path('clouds.yaml'), users.ALL)

    def client(self, name):
        """Return a client for a user: HTTP, openstacksdk, command.

        :param name: the name of a user in :mod:`tests.harness.cloud.users`
        """
        return client.Client(self, users.BY_NAME[name])

    def openstack(self, name, *arguments):
        """Run the openstack client as a user.

        :returns: the completed process, whatever its status
        """
        return command.run(
            [command.program('openstack'), *arguments],
            environment={**_without_credentials(), 'OS_CLOUD': name,
                         'OS_CLIENT_CONFIG_FILE': self.clouds_file})

    def logs(self):
        """Return the paths of all logs by the names of their processes."""
        return {process.name: process.log_path
                for process in self.host.processes}

    def write_clouds(self, path, persons):
        """Write a clouds.yaml in JSON, which is also YAML; return its path.

        :param persons: the users whose clouds it contains, by their names
        """
        with open(path, 'w') as target:
            json.dump({'clouds': {person.name: self._entry(person)
                                  for person in persons}}, target, indent=1)
        return path

    def _make_services(self):
        self.keystone = keystone.Keystone(self.host)
        others = self.host, self.keystone
        self.glance = glance.Glance(*others)
        self.placement = placement.Placement(*others)
        self.neutron = neutron.Neutron(*others)
        self.nova = nova.Nova(*others)
        self.manila = manila.Manila(*others)
        self.heat = heat.Heat(*others, settings=self._settings)
        # The service that needs the longest time comes first.
        self._others = [self.nova, self.placement, self.neutron, self.heat,
                        self.glance, self.manila]
        self._all = [self.keystone, *self._others]

    def _synchronize(self):
        with concurrent.futures.ThreadPoolExecutor(_AT_A_TIME) as pool:
            pending = [pool.submit(service.synchronize)
                       for service in self._all]
            try:
                for done in concurrent.futures.as_completed(pending):
                    done.result()
            finally:
                pool.shutdown(cancel_futures=True)

    def _start_keystone(self):
        self.keystone.api.start()
        self.keystone.populate([*self._others, self.heat.cfn])
        self.heat.populate()

    def _start_others(self):
        processes = [process for service in self._others
                     for process in service.processes()]
        for process in processes:
            process.launch()
        for process in processes:
            process.wait_until_ready()
        for service in self._others:
            service.settle()

    def _make_image_and_network(self):
        with self.keystone.connect(
                keystone.ADMIN, keystone.ADMIN) as connection:
            connection.image.create_image(
                IMAGE, data=bytes(1024), disk_format='raw',
                container_format='bare', visibility='public')
            connection.network.create_network(name=NETWORK, is_shared=True)

    def _entry(self, person):
        return {'region_name': keystone.REGION, 'identity_api_version': 3,
                'auth': {'auth_url': self.keystone.auth_url,
                         'username': person.name,
                         'password': person.password,
                         'project_name': person.project,
                         'user_domain_id': 'default',
                         'project_domain_id': 'default'}}


def _without_credentials():
    return {name: value for name, value in os.environ.items()
            if not name.startswith('OS_')}
