# SPDX-License-Identifier: Apache-2.0

"""One person's ways to talk to the cloud."""

import json

from tests.rigs import heat_client


class Client(heat_client.Client):
    """Heat over HTTP like in other tests, and the services beside.

    :ivar connection: of openstacksdk
    """

    def __init__(self, cloud, person):
        self.cloud = cloud
        self.person = person
        self.connection = cloud.keystone.connect(
            person.name, person.project, person.password)
        self.project_id = self.connection.current_project_id
        self.url = f'{cloud.heat.url}/v1/{self.project_id}'

    @property
    def token(self):
        return self.connection.auth_token

    def call(self, service_type, method, path, microversion=None, **more):
        """Send a request to a service.

        :param service_type: of the catalog, like 'compute'
        :param path: after the endpoint in the catalog
        :returns: the response of requests, whatever its status
        """
        return self.connection.session.request(
            path, method, raise_exc=False, microversion=microversion,
            endpoint_filter={'service_type': service_type,
                             'interface': 'public'}, **more)

    def openstack(self, *arguments):
        """Run the real openstack client; returns the completed process."""
        return self.cloud.openstack(self.person.name, *arguments)

    def openstack_json(self, *arguments):
        """Run it, and return what it shows."""
        done = self.openstack(*arguments, '-f', 'json')
        if done.returncode:
            raise AssertionError(f'openstack {" ".join(arguments)} ended '
                                 f'with {done.returncode}: {done.stderr}')
        return json.loads(done.stdout)
