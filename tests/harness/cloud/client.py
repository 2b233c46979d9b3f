# SPDX-License-Identifier: Apache-2.0

"""Clients of a user for the services of the cloud."""

import json

from keystoneauth1.identity import v3
from keystoneauth1 import session

from tests.harness import heat_client


class Client(heat_client.Client):
    """A client of Heat like in other tests, and of the other services.

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

    def trust(self, person, *roles, impersonation=True):
        """Let another user act in this user's project by a trust.

        :param person: the :class:`Client` of the other user.
        :param roles: those of this person's that it has then.
        :param impersonation: whether its tokens say that it is this person.
        :returns: a client of Heat with such a token.
        """
        made = self.call('identity', 'POST', '/OS-TRUST/trusts', json={
            'trust': {'trustor_user_id': self.connection.current_user_id,
                      'trustee_user_id': person.connection.current_user_id,
                      'project_id': self.project_id,
                      'impersonation': impersonation,
                      'roles': [{'name': role} for role in roles]}})
        made.raise_for_status()
        return Trusted(self, person.person, made.json()['trust']['id'])

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
        """Run the openstack client; returns the completed process."""
        return self.cloud.openstack(self.person.name, *arguments)

    def openstack_json(self, *arguments):
        """Run the openstack client, and return its parsed output."""
        done = self.openstack(*arguments, '-f', 'json')
        if done.returncode:
            raise AssertionError(f'openstack {" ".join(arguments)} ended '
                                 f'with {done.returncode}: {done.stderr}')
        return json.loads(done.stdout)


class Trusted(heat_client.Client):
    """A client of Heat with a token that is scoped to a trust."""

    def __init__(self, trustor, person, trust_id):
        self.url = trustor.url
        self.token = session.Session(auth=v3.Password(
            auth_url=trustor.cloud.keystone.auth_url, username=person.name,
            password=person.password, user_domain_id='default',
            trust_id=trust_id)).get_token()
