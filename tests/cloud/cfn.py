# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Signed requests to Heat's cfn API."""

import time

from keystoneclient.contrib.ec2 import utils as ec2
import requests

_PATH = '/v1/'


class CfnClient:
    """A person's calls of the cfn API, signed with EC2 credentials."""

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
        return requests.get(f'http://{host}{_PATH}', params=parameters,
                            timeout=120)
