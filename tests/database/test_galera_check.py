# SPDX-License-Identifier: Apache-2.0

"""The report of ``heat-extras-status upgrade check`` on Galera reads."""

import testtools

from tests.harness import command
from tests.harness import databases
from tests.harness.services import galera
from tests.harness.services import shared


class ClusterCheckTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.node = shared.server(galera.Galera).nodes[0]
        self.addCleanup(self.wait_for, 1)
        self.url = self.useFixture(shared.Database(galera.Galera)).url

    def wait_for(self, value):
        self.node.execute(f'SET GLOBAL wsrep_sync_wait = {value}')

    def check(self, *more):
        arguments = self.useFixture(
            databases.Configuration(self.url)).arguments
        with open(arguments[-1], 'a') as target:
            target.write('\n'.join(more))
        # The table breaks lines.
        return ' '.join(command.run([
            command.program('heat-extras-status'), *arguments, 'upgrade',
            'check', '--json']).stdout.split())

    def test_wsrep_sync_wait_of_server_is_reported(self):
        self.assertIn('wsrep_sync_wait is 1', self.check())

    def test_wsrep_sync_wait_zero_is_reported(self):
        self.wait_for(0)
        self.assertIn('wsrep_sync_wait is 0', self.check())

    def test_mysql_wsrep_sync_wait_option_is_used(self):
        self.wait_for(0)
        self.assertIn('wsrep_sync_wait is 1',
                      self.check('mysql_wsrep_sync_wait = 1'))
