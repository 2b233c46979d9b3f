# SPDX-License-Identifier: Apache-2.0

"""``openstack stack lock list`` and ``show``."""

import argparse

from osc_lib.command import command
from osc_lib import exceptions

from heat_extras.client import error_message
from heat_extras.client import managers
from heat_extras.client import options
from heat_extras.output import lister

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

    def add_arguments(self, parser):
        parser.add_argument('--level', choices=managers.LEVELS,
                            help='List only locks of this level')
        parser.add_argument(
            '--expires-before', metavar='<time>',
            help='List only locks that expire before this time, with its time '
                 'zone: 2026-12-24T18:00:00Z')
        add_all_projects(parser)
        parser.add_argument(
            '--limit', metavar='<number>', type=_positive_number,
            help='Maximum number of locks to list (default: all)')
        parser.add_argument('--marker', metavar='<id>',
                            help='List only locks whose ID follows this ID')
        parser.add_argument(
            '--long', action='store_true',
            help='Show all fields of the locks in the table')

    def take_action(self, parsed_args):
        self.shown = lister.Columns(_table_columns(parsed_args),
                                    ('Expires At', 'Reason'))
        locks = find_locks(self.heat, parsed_args)
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

    def add_arguments(self, parser):
        parser.add_argument('stack', metavar='<stack>',
                            help='Stack (name or ID)')

    def take_action(self, parsed_args):
        with error_message.command_errors():
            stack = self.heat.stacks.get(
                managers.LockManager(self.heat).resolve(parsed_args.stack),
                resolve_outputs=False).to_dict()
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


def add_all_projects(parser):
    """Add the option for locks of all projects."""
    parser.add_argument('--all-projects', action='store_true',
                        help='List the locks of all projects (by default, '
                             'only administrators may do this)')


def find_locks(heat_client, arguments):
    """List the locks that the arguments of a command select.

    :returns: a list of dicts
    :raises CommandError: if Heat does not list them
    """
    with error_message.command_errors(error_message.MISSING_LIST):
        return [
            {**each, **options.pass_columns(each.get('pass'))}
            for each in managers.LockManager(heat_client).list_locks(
                arguments.level, arguments.all_projects, arguments.limit,
                arguments.marker, arguments.expires_before)]


def _positive_number(text):
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not valid: expected a whole number, at least 1')
    return int(text)
