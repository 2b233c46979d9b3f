# SPDX-License-Identifier: Apache-2.0

import os
import sys

import fixtures
import testtools

from heat_extras.sandbox import clients

URL = 'http://127.0.0.1:8004/v1/demo'


class FindTest(testtools.TestCase):

    def test_client_beside_python_is_found(self):
        name = os.path.basename(sys.executable)
        self.assertEqual(
            os.path.dirname(sys.executable),
            os.path.dirname(clients.find_client(name, 'python')))

    def test_missing_client_error_names_package(self):
        error = self.assertRaises(
            clients.ClientMissing, clients.find_client, 'no-such-command',
            'thing')
        self.assertIn('. Install thing', str(error))


class EnvironmentTest(testtools.TestCase):

    def test_os_cloud_of_user_is_removed(self):
        self.useFixture(
            fixtures.EnvironmentVariable('OS_CLOUD', 'production'))
        self.assertNotIn(
            'OS_CLOUD', clients.openstack_environment(URL, 'alice:member'))

    def test_no_proxy_has_loopback_address(self):
        variables = clients.openstack_environment(URL, 'alice:member')
        self.assertEqual(('127.0.0.1', '127.0.0.1'),
                         (variables['no_proxy'], variables['NO_PROXY']))

    def test_token_uses_admin_token_plugin(self):
        variables = clients.openstack_environment(URL, 'alice:member')
        self.assertEqual(('admin_token', 'alice:member', URL), (variables[
            'OS_AUTH_TYPE'], variables['OS_TOKEN'], variables['OS_ENDPOINT']))
