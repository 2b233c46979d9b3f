# SPDX-License-Identifier: Apache-2.0

"""A drop-in for the ``heat`` shell that also has the actions for locks.

Its additional subcommands run the commands of openstack.
"""

import argparse
import sys
import types

import heatclient.exc
import heatclient.shell
from heatclient.v1 import shell
from osc_lib import exceptions

from heat_extras.client import lock_warnings
from heat_extras.client.osc import delete_protection
from heat_extras.client.osc import lock
from heat_extras.client.osc import lock_list
from heat_extras.client.osc import lock_pass
from heat_extras.client import stack_action
from heat_extras.output import help_text
from heat_extras import sanitize
from heat_extras import version

# heatclient's event-list has no option to follow events.
HINTS = stack_action.Hints(
    'heat-extras event-list --format log {stack} (repeat the command until it '
    'lists {action}_COMPLETE or {action}_FAILED)',
    'heat-extras stack-show {stack}', 'heat-extras lock-list')

#: The additional subcommands, with the command of openstack that each runs.
COMMANDS = {
    'action-lock': ('stack lock', lock.LockStack),
    'action-unlock': ('stack unlock', lock.UnlockStack),
    'action-extend-lock': ('stack lock set', lock.SetLock),
    'action-lock-pass': ('stack lock pass grant', lock_pass.GrantPass),
    'action-revoke-lock-pass': ('stack lock pass revoke',
                                lock_pass.RevokePass),
    'action-protect': ('stack protect', delete_protection.ProtectStack),
    'action-unprotect': ('stack unprotect', delete_protection.UnprotectStack),
    'lock-list': ('stack lock list', lock_list.ListLocks)}


class HeatExtrasShell(heatclient.shell.HeatShell):
    """The commands of heatclient.v1.shell, and the actions for locks."""

    def get_base_parser(self):
        parser = super().get_base_parser()
        parser.prog = 'heat-extras'
        for action in parser._actions:
            # HeatShell would print the version of python-heatclient.
            if '--version' in action.option_strings:
                action.version = version.installed()
        return parser

    def _find_actions(self, subparsers, actions_module):
        super()._find_actions(subparsers, actions_module)
        if actions_module is self:
            for name, (command_name, command) in COMMANDS.items():
                self._add_command(subparsers, name, command_name, command)
            self.subcommands['resource-signal'].set_defaults(func=_signal)

    def _add_command(self, subparsers, name, command_name, command_class):
        command = command_class(types.SimpleNamespace(), None)
        command.error_prefix, command.hints = 'ERROR: ', HINTS
        # The other paragraphs are about the command of openstack.
        summary, _, more = command_class.__doc__.partition('\n\n')
        examples = more.partition('Examples:')[2].replace(
            f'openstack {command_name}', f'heat-extras {name}')
        parser = command.get_parser(f'heat-extras {name}')
        parser.epilog = None
        help_text.use_docstring(
            parser, f'{summary}\n\n    Examples:{examples}')
        # add_parser would create a parser of heatclient.
        subparsers.add_parser(name, help=summary)
        subparsers.choices[name] = self.subcommands[name] = parser
        # With --debug, the command logs its arguments, but not the password.
        shared = {action.dest for action in self.get_base_parser()._actions}
        parser.set_defaults(func=lambda heat_client, arguments: _run(
            command, heat_client, argparse.Namespace(**{
                name: value for name, value in vars(arguments).items()
                if name not in shared})))


def _run(command, heat_client, arguments):
    """Run a command of openstack, and exit with its status.

    :raises CommandError: of heatclient, if the command raises an error
    """
    # Without data of a token, the commands do not query Keystone.
    command.app = types.SimpleNamespace(
        stdout=sys.stdout, stderr=sys.stderr,
        client_manager=types.SimpleNamespace(orchestration=heat_client,
                                             auth_ref=None))
    try:
        status = command.run(arguments)
    except exceptions.CommandError as error:
        raise heatclient.exc.CommandError(f'ERROR: {error}') from error
    if status:
        sys.exit(status)


def _signal(heat_client, args):
    shell.do_resource_signal(heat_client, args)
    for line in lock_warnings.signal_warnings(heat_client, args.id):
        _print_to_stderr(line)


def _print_to_stderr(line):
    print(sanitize.printable(line, sanitize.encoding_of(sys.stderr)),
          file=sys.stderr)


def main(argv=None):
    """Run the shell like heatclient.shell.main, but with this class."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        HeatExtrasShell().main(argv)
    except KeyboardInterrupt:
        print('... terminating heat client', file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        if '--debug' in argv or '-d' in argv:
            raise
        # heatclient encodes the text first and so prints b'...'.
        for line in str(error).split('\n'):
            _print_to_stderr(line)
        sys.exit(1)
