# SPDX-License-Identifier: Apache-2.0

"""The ``heat`` shell with the lock actions added, a drop-in for it."""

import sys

from heatclient.common import utils
import heatclient.exc
import heatclient.shell
from heatclient.v1 import stacks

from heat_extras.client import errand
from heat_extras.client import locks
from heat_extras.client import protection
from heat_extras.terminal import examples
from heat_extras import text as texts
from heat_extras import version

# event-list of heatclient follows nothing.
HINTS = errand.Hints(
    'heat-extras event-list --format log {stack}, until it tells of '
    '{action}_COMPLETE or {action}_FAILED', 'heat-extras stack-show {stack}')

# The columns of heatclient.v1.shell.do_stack_list.
FIELDS = ('id', 'stack_name', 'stack_status', 'creation_time',
          'updated_time')


class HeatExtrasShell(heatclient.shell.HeatShell):
    """Offer the lock actions beside those of heatclient.v1.shell.

    HeatShell.get_subcommand_parser takes its own do_* methods for commands
    too (help is one); that is the only door in it for more of them.
    """

    def get_base_parser(self):
        parser = super().get_base_parser()
        parser.prog = 'heat-extras'
        for action in parser._actions:
            # HeatShell gives it the version of python-heatclient.
            if '--version' in action.option_strings:
                action.version = version.installed()
        return parser

    def get_subcommand_parser(self, version):
        parser = super().get_subcommand_parser(version)
        for name in ('action-lock', 'action-unlock', 'action-protect',
                     'action-unprotect'):
            examples.add(self.subcommands[name], f'heat-extras {name}')
        return parser

    @utils.arg('id', metavar='<NAME or ID>',
               help='Name or ID of the root stack to lock.')
    @utils.arg('--level', choices=locks.LEVELS, default='all',
               help='"stacks" leaves the physical resources free, "all" '
                    '(default) also protects each resource whose service '
                    'has a lock of its own.')
    @utils.arg('--reason', metavar='<TEXT>',
               help='Why; shown to everybody whom the lock stops.')
    def do_action_lock(self, heat_client, args):
        """Lock the stack, so that nothing and nobody changes it."""
        done = errand.Errand(heat_client, args.id, 'LOCK', HINTS)
        done.run(lambda manager, identity: manager.lock(
            identity, level=args.level, reason=args.reason))
        _print(done)
        if args.level == 'all' and not done.is_running:
            line = protection.warning(
                heat_client, done.shown['stack_name'], done.identity)
            if line:
                _say(line)

    @utils.arg('id', metavar='<NAME or ID>',
               help='Name or ID of the root stack to unlock.')
    def do_action_unlock(self, heat_client, args):
        """Lift the lock of the stack."""
        done = errand.Errand(heat_client, args.id, 'UNLOCK', HINTS)
        done.run(locks.LockManager.unlock)
        _print(done)

    @utils.arg('id', metavar='<NAME or ID>',
               help='Name or ID of the root stack to protect.')
    @utils.arg('--reason', metavar='<TEXT>',
               help='Why; shown to everybody who wants to delete it.')
    def do_action_protect(self, heat_client, args):
        """Protect the stack from deletion; all else goes on."""
        done = errand.Errand(heat_client, args.id, 'PROTECT', HINTS)
        done.run(lambda manager, identity: manager.protect(
            identity, reason=args.reason))
        _print(done)

    @utils.arg('id', metavar='<NAME or ID>',
               help='Name or ID of the root stack to unprotect.')
    def do_action_unprotect(self, heat_client, args):
        """Lift the protection of the stack from deletion."""
        done = errand.Errand(heat_client, args.id, 'UNPROTECT', HINTS)
        done.run(locks.LockManager.unprotect)
        _print(done)


def _print(done):
    if done.failure:
        raise heatclient.exc.CommandError(
            f'ERROR: stack {done.stack}: {done.failure}')
    if done.hidden:
        _say(f'stack {done.stack}: {done.result}')
    shown = {name: texts.printable(done.shown.get(name),
                                   texts.encoding(sys.stdout))
             for name in FIELDS}
    stack = stacks.Stack(None, shown, loaded=True)
    utils.print_list([stack], FIELDS)
    if done.advice:
        _say(done.advice)


def _say(line):
    print(texts.printable(line, texts.encoding(sys.stderr)),
          file=sys.stderr)


def main(argv=None):
    """Run the shell like heatclient.shell.main, whose class is fixed."""
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
            _say(line)
        sys.exit(1)
