# SPDX-License-Identifier: Apache-2.0

"""Run openstack commands the way OpenStackClient does, without its shell."""

import io
import types

import fixtures
import testtools

from tests.unit.client import base


class CommandTestCase(testtools.TestCase):

    #: What makes the standard output of a command.
    output = io.StringIO
    #: What makes the standard input of a command.
    input = io.StringIO
    #: More attributes of the client manager.
    clients: dict = {}

    def setUp(self):
        super().setUp()
        self.heat = self.useFixture(base.HeatServer())
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.client.wait.PAUSE', 0.01))

    def call(self, command_class, *arguments, name=None, hook=None):
        """Parse and run, like cliff.app.App.run_subcommand.

        :param name: of the command, as somebody has typed it
        :param hook: a class that extends the command
        :returns: exit status, standard output, standard error
        """
        app = types.SimpleNamespace(
            stdin=self.input(), stdout=self.output(), stderr=io.StringIO(),
            client_manager=types.SimpleNamespace(
                orchestration=self.heat.session_client(),
                **{'identity': None, 'auth_ref': None, **self.clients}))
        command = command_class(app, None)
        command.cmd_name = name
        if hook:
            command._hooks = [types.SimpleNamespace(obj=hook(command))]
        parsed = command.get_parser('openstack').parse_args(arguments)
        code = command.run(parsed)
        return code, app.stdout.getvalue(), app.stderr.getvalue()
