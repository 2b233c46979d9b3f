# SPDX-License-Identifier: Apache-2.0

"""Signed requests to Heat's cfn API."""

import time

from keystoneclient.contrib.ec2 import utils as ec2

from tests.harness import http_client

_PATH = '/v1/'


class CfnClient:
    """Requests of a user to the cfn API, signed with EC2 credentials."""

    def __init__(self, client):
        self._port = client.cloud.heat.cfn.port
        made = client.call(
            'identity', 'POST',
            f'/users/{client.connection.current_user_id}/credentials/OS-EC2',
            json={'tenant_id': client.project_id})
        made.raise_for_status()
        self._credential = made.json()['credential']

    def call(self, action, **parameters):
        """Send a request; returns the response, whatever its status."""
        parameters = {
            'Action': action, 'Version': '2010-05-15',
            'ContentType': 'JSON', 'SignatureVersion': '2',
            'SignatureMethod': 'HmacSHA256',
            'AWSAccessKeyId': self._credential['access'],
            'Timestamp': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()),
            **parameters}
        host = f'127.0.0.1:{self._port}'
        parameters['Signature'] = ec2.Ec2Signer(
            self._credential['secret']).generate({
                'host': host, 'verb': 'GET', 'path': _PATH,
                'params': parameters})
        return http_client.Http(f'http://{host}').get(
            _PATH, params=parameters)
