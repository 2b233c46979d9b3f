# SPDX-License-Identifier: Apache-2.0

"""Run the commands in this process with a database of Heat."""

import fixtures
import testtools

from tests.unit.db import base


class CommandTestCase(testtools.TestCase):
    """Run commands with a database and a heat.conf.

    ``main`` is the command's function, ``prog`` its name.
    """

    prog = main = None

    def setUp(self):
        super().setUp()
        # Otherwise files in /etc/heat and ~ are read.
        self.home = self.useFixture(fixtures.TempDir())
        self.useFixture(fixtures.EnvironmentVariable('HOME', self.home.path))
        # The log settings of other tests in this process are unchanged.
        self.useFixture(fixtures.MockPatch('oslo_log.log.setup'))
        self.database = self.useFixture(base.HeatDatabase())
        self.engine = self.database.engine

    def write_config(self, connection, more=''):
        path = self.home.join('heat.conf')
        with open(path, 'w') as stream:
            stream.write('[database]\nmax_retries = 0\n')
            if connection:
                stream.write('connection = %s\n' % connection)
            stream.write(more)
        return path

    def run_command(self, *words, connection=None, more=''):
        """Run one command.

        :param more: further sections of heat.conf.
        :returns: what it printed on standard output.
        """
        path = self.write_config(connection or self.database.url, more)
        return self.run_main('--config-file', path, *words)

    def run_main(self, *words):
        stream = self.useFixture(fixtures.StringStream('out')).stream
        with fixtures.MonkeyPatch('sys.stdout', stream):
            self.status = type(self).main(list(words))
        stream.seek(0)
        return stream.read()

    def fail_command(self, *words, **options):
        """Run one command that fails.

        :returns: its message, one line.
        """
        error = self.assertRaises(
            SystemExit, self.run_command, *words, **options)
        return self.check_message(error)

    def check_message(self, error):
        # sys.exit with a text prints it and exits with 1.
        self.assertIsInstance(error.code, str)
        self.assertNotIn('\n', error.code)
        self.assertTrue(error.code.startswith('%s: ' % self.prog))
        return error.code
