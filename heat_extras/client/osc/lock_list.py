# SPDX-License-Identifier: Apache-2.0

"""``openstack stack lock list`` and ``show``, and options of both clients."""

import argparse

from osc_lib.command import command
from osc_lib import exceptions

from heat_extras.cli import help_text
from heat_extras.cli import tables
from heat_extras.client import error_message
from heat_extras.client import managers
from heat_extras.client import options
from heat_extras.client.osc import lister
from heat_extras.client import stack_action

_FIELDS = {
    'Stack Name': 'stack_name', 'Level': 'level', 'Status': 'status',
    'Locked By': 'locked_by', 'Locked At': 'locked_at',
    'Expires At': 'expires_at', 'Reason': 'reason', 'Pass For': 'pass_user',
    'Pass Expires At': 'pass_expires_at', 'Pass Used At': 'pass_used_at',
    'Project': 'project', 'Stack ID': 'stack_id', 'Lock ID': 'id'}
_SHORT = ('Stack Name', 'Level', 'Status', 'Locked By', 'Expires At',
          'Reason')
_SHOWN = {
    'Stack Name': 'stack_name', 'Stack ID': 'id', 'Lock ID': 'lock_id',
    'Level': 'lock_level', 'Status': 'lock_status',
    'Status Reason': 'lock_status_reason', 'Locked By': 'locked_by',
    'Locked At': 'locked_at', 'Expires At': 'lock_expires_at',
    'Reason': 'lock_reason', 'Pass For': 'pass_user',
    'Pass Expires At': 'pass_expires_at', 'Pass Used At': 'pass_used_at'}


class ListLocks(lister.SafeLister):
    """List the locks of a project, in the order of their IDs.

    A table has the most important fields, or all fields with --long. Other
    formats have all fields. "Pass For" is the user of the lock pass. To lock
    a stack with the name "list": stack lock -- list

    Examples:

      List the locked stacks, with the user and the reason of each lock:
        openstack stack lock list

      List the IDs of all locks of the cloud, for a program:
        openstack stack lock list --all-projects -f value -c 'Lock ID'
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        help_text.use_docstring(parser)
        add_arguments(parser)
        parser.add_argument(
            '--long', action='store_true',
            help='Show all fields of the locks in the table')
        return parser

    def take_action(self, parsed_args):
        self.shown = tables.Columns(_table_columns(parsed_args),
                                    ('Expires At', 'Reason'))
        locks = find_locks(self.app, parsed_args)
        self.with_pass = [each['stack_name'] for each in locks
                          if each['pass_user']]
        return tuple(_FIELDS), [tuple(map(each.get, _FIELDS.values()))
                                for each in locks]

    def produce_output(self, parsed_args, column_names, data):
        """Print the rows, and below a table the stacks with lock passes."""
        code = super().produce_output(parsed_args, column_names, data)
        if self.with_pass and parsed_args.formatter == lister.TABLE:
            self.print_to_stderr(
                f'Stacks with a lock pass: {", ".join(self.with_pass)}. To '
                'list the lock passes: openstack stack lock pass list')
        return code


class ShowLock(lister.SafeOutput, command.ShowOne):
    """Show the lock of a stack.

    To lock a stack with the name "show": stack lock -- show

    Examples:

      Show who has locked a stack, and whether the lock has failed:
        openstack stack lock show web
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        help_text.use_docstring(parser)
        parser.add_argument('stack', metavar='<stack>',
                            help='Stack (name or ID)')
        return parser

    def take_action(self, parsed_args):
        heat = self.app.client_manager.orchestration
        try:
            stack = heat.stacks.get(
                managers.LockManager(heat).resolve(parsed_args.stack),
                resolve_outputs=False).to_dict()
        except stack_action.FAILURES as error:
            raise exceptions.CommandError(
                error_message.describe(error)) from error
        if managers.LOCK_LEVEL not in stack:
            raise exceptions.CommandError(error_message.MISSING_LOCKS)
        if stack[managers.LOCK_LEVEL] is None:
            raise exceptions.CommandError(
                f'Stack {stack["stack_name"]} is not locked.')
        stack.update(options.pass_columns(stack.get('lock_pass')))
        return tuple(_SHOWN), tuple(map(stack.get, _SHOWN.values()))

    def produce_output(self, parsed_args, column_names, data):
        """Print the fields. Overrides cliff.show.ShowOne.produce_output."""
        return self.print_fields(parsed_args, column_names, data)


def _table_columns(parsed_args):
    if parsed_args.long:
        return tuple(_FIELDS)
    return (*_SHORT, 'Project') if parsed_args.all_projects else _SHORT


def add_arguments(parser):
    """Add the options that select locks."""
    parser.add_argument('--level', choices=managers.LEVELS,
                        help='List only locks of this level')
    parser.add_argument(
        '--expires-before', metavar='<time>',
        help='List only locks that expire before this time, with its time '
             'zone: 2026-12-24T18:00:00Z')
    add_all_projects(parser)
    parser.add_argument('--limit', metavar='<number>', type=_positive_number,
                        help='Maximum number of locks to list (default: all)')
    parser.add_argument('--marker', metavar='<id>',
                        help='List only locks whose ID follows this ID')


def add_all_projects(parser):
    """Add the option for locks of all projects."""
    parser.add_argument('--all-projects', action='store_true',
                        help='List the locks of all projects (by default, '
                             'only administrators may do this)')


def find_locks(app, arguments):
    """List the locks for a command of openstack.

    :raises CommandError: if Heat does not list them
    """
    try:
        return list_locks(app.client_manager.orchestration, arguments)
    except stack_action.FAILURES as error:
        raise exceptions.CommandError(error_message.describe(
            error, error_message.MISSING_LIST)) from error


def list_locks(heat_client, arguments):
    """List the locks that the arguments select.

    :returns: a list of dicts
    """
    locks = managers.LockManager(heat_client).list_locks(
        arguments.level, arguments.all_projects, arguments.limit,
        arguments.marker, arguments.expires_before)
    return [{**each,
             **options.pass_columns(each.get('pass'))} for each in locks]


def _positive_number(text):
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not valid: expected a whole number, at least 1')
    return int(text)
