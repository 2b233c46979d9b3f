# SPDX-License-Identifier: Apache-2.0

"""A drop-in for the ``heat`` shell that also has the actions for locks."""

import sys

from heatclient.common import base
from heatclient.common import utils
import heatclient.exc
import heatclient.shell
from heatclient.v1 import shell

from heat_extras.cli import help_text
from heat_extras.client import actions
from heat_extras.client import error_message
from heat_extras.client.osc import lock_list
from heat_extras.client import signal_warning
from heat_extras.client import stack_action
from heat_extras import sanitize
from heat_extras import version

# heatclient's event-list has no option to follow events.
HINTS = stack_action.Hints(
    'heat-extras event-list --format log {stack} (repeat the command until it '
    'lists {action}_COMPLETE or {action}_FAILED)',
    'heat-extras stack-show {stack}', 'heat-extras lock-list')

ACTIONS = (actions.LOCK, actions.UNLOCK, actions.EXTEND, actions.GRANT,
           actions.REVOKE, actions.PROTECT, actions.UNPROTECT)

# The columns of heatclient.v1.shell.do_stack_list.
FIELDS = ('id', 'stack_name', 'stack_status', 'creation_time',
          'updated_time')
RESULT = 'result'
LOCK_FIELDS = ('lock_id', 'project', 'stack_name', 'level', 'status',
               'reason', 'locked_by', 'locked_at', 'expires_at', 'pass_user')
RESOURCE_FIELDS = ('stack_name', 'resource_name', 'lock_protection',
                   'lock_protection_reason')


class HeatExtrasShell(heatclient.shell.HeatShell):
    """The commands of heatclient.v1.shell, and the actions for locks.

    HeatShell.get_subcommand_parser uses the do_* methods of its class as
    commands, for example help. So a subclass is the only way to add commands.
    """

    def get_base_parser(self):
        parser = super().get_base_parser()
        parser.prog = 'heat-extras'
        for action in parser._actions:
            # HeatShell would print the version of python-heatclient.
            if '--version' in action.option_strings:
                action.version = version.installed()
        return parser

    def get_subcommand_parser(self, version):
        parser = super().get_subcommand_parser(version)
        for action in ACTIONS:
            name = f'action-{action.verb}'
            action.add_arguments(self.subcommands[name])
            help_text.use_docstring(self.subcommands[name])
        lock_list.add_arguments(self.subcommands['lock-list'])
        help_text.use_docstring(self.subcommands['lock-list'])
        self.subcommands['resource-signal'].set_defaults(func=_signal)
        return parser

    def do_action_lock(self, heat_client, args):
        """Lock stacks, so that they cannot be changed.

        Examples:

          Lock a stack, and give a reason:
            heat-extras action-lock --reason 'CHG-1042: db move' web

          Lock a stack for two hours, after which the lock expires:
            heat-extras action-lock --for 2h web

          Lock the stack, but not its servers and images:
            heat-extras action-lock --level stacks web
        """
        if args.dry_run:
            _print_dry_run(heat_client, args)
        else:
            _run_action(heat_client, actions.LOCK, args)

    def do_action_unlock(self, heat_client, args):
        """Unlock stacks.

        Examples:

          Unlock a stack:
            heat-extras action-unlock web
        """
        _run_action(heat_client, actions.UNLOCK, args)

    def do_action_extend_lock(self, heat_client, args):
        """Change or remove the expiration of the lock of stacks.

        Examples:

          Extend the lock, because the work takes longer:
            heat-extras action-extend-lock --for 3h web
        """
        _run_action(heat_client, actions.EXTEND, args)

    def do_action_lock_pass(self, heat_client, args):
        """Allow one update of locked stacks by one user.

        Examples:

          Let a pipeline update a locked stack once, within two hours:
            heat-extras action-lock-pass --user 0bd8 --for 2h web
        """
        _run_action(heat_client, actions.GRANT, args)

    def do_action_revoke_lock_pass(self, heat_client, args):
        """Revoke the lock pass of stacks.

        Examples:

          Revoke a lock pass that is not needed any more:
            heat-extras action-revoke-lock-pass web
        """
        _run_action(heat_client, actions.REVOKE, args)

    def do_action_protect(self, heat_client, args):
        """Protect stacks from deletion.

        Examples:

          Protect a stack, and give a reason:
            heat-extras action-protect --reason 'the only copy' web
        """
        _run_action(heat_client, actions.PROTECT, args)

    def do_action_unprotect(self, heat_client, args):
        """Remove the delete protection of stacks.

        Examples:

          Let a stack be deleted again:
            heat-extras action-unprotect web
        """
        _run_action(heat_client, actions.UNPROTECT, args)

    def do_lock_list(self, heat_client, args):
        """List the locks of a project, in the order of their IDs.

        Examples:

          List the locked stacks, with the user and the reason of each lock:
            heat-extras lock-list
        """
        try:
            locks = lock_list.list_locks(heat_client, args)
        except stack_action.FAILURES as error:
            raise heatclient.exc.CommandError(
                'ERROR: ' + error_message.describe(
                    error, error_message.MISSING_LIST)) from error
        rows = [{**each, 'lock_id': each['id']} for each in locks]
        _print_table(rows, [name for name in LOCK_FIELDS
                            if args.all_projects or name != 'project'])


def _signal(heat_client, args):
    shell.do_resource_signal(heat_client, args)
    for line in signal_warning.warnings(heat_client, args.id):
        _print_to_stderr(line)


def _run_action(heat_client, action, args):
    """Process each selected stack, and continue after an error."""
    prepared = [
        stack_action.StackAction(heat_client, chosen, action, HINTS)
        for chosen in _select_stacks(heat_client, args)]
    done = list(stack_action.run_each(prepared, args, sys.stderr))
    _print_results([each for each in done
                    if each.is_kept or not each.failure])
    lines = [_error(each.stack, each.failure)
             for each in done if each.failure]
    if left := stack_action.not_sent(prepared):
        lines.append(left)
    if any(each.is_interrupted for each in prepared):
        for line in lines:
            _print_to_stderr(line)
        raise KeyboardInterrupt
    if lines:
        raise heatclient.exc.CommandError('\n'.join(lines))


def _error(stack, text):
    return f'ERROR: {error_message.add_name("stack", stack, text)}'


def _print_dry_run(heat_client, args):
    rows, failures = [], []
    for chosen in _select_stacks(heat_client, args):
        try:
            rows += stack_action.dry_run(heat_client, chosen, args)
        except stack_action.FAILURES as error:
            failures.append(_error(chosen.name,
                                   error_message.describe(error)))
    if rows or not failures:
        _print_table(rows, RESOURCE_FIELDS)
    if failures:
        raise heatclient.exc.CommandError('\n'.join(failures))


def _select_stacks(heat_client, args):
    try:
        return stack_action.select(heat_client, args)
    except stack_action.FAILURES as error:
        raise heatclient.exc.CommandError(
            f'ERROR: {error_message.describe(error)}') from error
    except KeyboardInterrupt:
        _print_to_stderr('No request was sent.')
        raise


def _print_results(done):
    if done:
        _print_table([{**each.shown, RESULT: each.result} for each in done],
                     (*FIELDS, *done[0].act.shown, RESULT))
    for each in done:
        for line in each.remarks():
            _print_to_stderr(line)
    if summary := stack_action.summary(done):
        _print_to_stderr(summary)


def _print_table(rows, fields):
    encoding = sanitize.encoding_of(sys.stdout)
    shown = [{name: sanitize.printable(row.get(name), encoding)
              for name in fields} for row in rows]
    utils.print_list([base.Resource(None, row, loaded=True) for row in shown],
                     fields, sortby_index=None)


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
