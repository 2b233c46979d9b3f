# SPDX-License-Identifier: Apache-2.0

"""``openstack stack lock list``, and its options in the ``heat`` shell."""

import argparse

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
    'Project': 'project', 'Stack ID': 'stack_id', 'ID': 'id'}
_SHORT = ('Stack Name', 'Level', 'Locked By', 'Expires At', 'Reason')


class ListLocks(lister.SafeLister):
    """List the locks of a project, in the order of their IDs.

    A table has the most important fields, or all fields with --long. Other
    formats have all fields. "Pass For" is the user of the lock pass. To lock
    a stack with the name "list": stack lock -- list

    Examples:

      List the locked stacks, with the user and the reason of each lock:
        openstack stack lock list

      List the IDs of all locks of the cloud, for a program:
        openstack stack lock list --all-projects -f value -c ID
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
        self.shown = tables.Columns(_table_columns(parsed_args), ('Reason',))
        try:
            locks = list_locks(self.app.client_manager.orchestration,
                               parsed_args)
        except stack_action.FAILURES as error:
            raise exceptions.CommandError(error_message.describe(
                error, error_message.MISSING_LIST)) from error
        return tuple(_FIELDS), [tuple(map(each.get, _FIELDS.values()))
                                for each in locks]


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
    parser.add_argument('--all-projects', action='store_true',
                        help='List the locks of all projects (by default, '
                             'only administrators may do this)')
    parser.add_argument('--limit', metavar='<number>', type=_positive_number,
                        help='Maximum number of locks to list (default: all)')
    parser.add_argument('--marker', metavar='<id>',
                        help='List only locks whose ID follows this ID')


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
