# SPDX-License-Identifier: Apache-2.0

"""The number of SQL statements that one lifecycle plugin adds."""

from heat import version as heat_version
from packaging import version
import testtools

from tests.exhaustive import test_statements as statements
from tests.functional import base
from tests.functional import templates
from tests.functional import test_lifecycle_example

# As doc/source/reference/plugin-interface.rst states it.
LEDGER = {'SELECT heat_extras_operation': 1,
          'INSERT heat_extras_operation': 1,
          'UPDATE heat_extras_operation': 2,
          'DELETE heat_extras_operation': 1}
CONVERGENCE = {**LEDGER, 'SELECT heat_extras_operation': 3}

# The other plugin of the example is not called for what is counted.
ONE_PLUGIN = '[heat_extras]\nlifecycle_actions = rack_spread:CREATE\n'


class StatementsTest(testtools.TestCase):

    def ledger(self, convergence):
        """Return the statements about operations of one check."""
        self.useFixture(test_lifecycle_example.Installed())
        sandbox = self.useFixture(base.Sandbox(
            ['--features', 'lifecycle'],
            statements._SETTINGS.format(convergence=convergence)
            + ONE_PLUGIN))
        client = sandbox.client()
        watch = statements._Watch(sandbox.log_path)
        path = client.create_stack('one', templates.SMALL,
                                   tags='cost-centre:1')
        watch.wait_until_quiet()
        watch.count('check', lambda: client.post(
            path + '/actions', {'check': None}), 'Stack CHECK COMPLETE (one)')
        counter, = watch.counts['check']
        return {kind: count for kind, count in counter.items()
                if 'heat_extras' in kind}

    def test_convergence_engine(self):
        # Heat 24 and 25 check in a thread of one engine, which knows what
        # it began.
        release = version.Version(
            heat_version.version_info.version_string())
        self.assertEqual(CONVERGENCE if release.major >= 26 else LEDGER,
                         self.ledger(True))

    def test_legacy_engine(self):
        self.assertEqual(LEDGER, self.ledger(False))
