# SPDX-License-Identifier: Apache-2.0

"""``openstack stack lock list``."""

from osc_lib import exceptions

from heat_extras.cli import examples
from heat_extras.cli import tables
from heat_extras.client import errand
from heat_extras.client import inventory
from heat_extras.client.osc import lister
from heat_extras.client.osc import spelling

_FIELDS = {
    'Stack Name': 'stack_name', 'Level': 'level', 'Status': 'status',
    'Locked By': 'locked_by', 'Expires At': 'expires_at', 'Reason': 'reason',
    'Pass For': 'pass_user', 'ID': 'id'}
_LONG = {
    'Project': 'project', 'Stack ID': 'stack_id', 'Locked At': 'locked_at',
    'Pass Expires At': 'pass_expires_at', 'Pass Used At': 'pass_used_at'}
_ESSENTIAL = ('Stack Name', 'Level', 'Locked By', 'Reason')
_OPTIONAL = ('Expires At', 'Status', 'Pass For', 'ID')


class ListLocks(lister.SafeLister):
    """List the locks of a project, by their IDs.

    The pass of a lock is shown by the user who may use it. To lock a stack
    that has the name "list": stack lock -- list
    """

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        examples.add(parser, 'openstack stack lock list')
        inventory.add_arguments(parser)
        parser.add_argument(
            '--long', action='store_true',
            help='List additional fields in output')
        return parser

    def take_action(self, parsed_args):
        spelling.check(self, 'list')
        fields = _fields(parsed_args)
        self.shown = _columns(fields, parsed_args.long)
        try:
            found = inventory.read(self.app.client_manager.orchestration,
                                   parsed_args)
        except errand.FAILURES as error:
            raise exceptions.CommandError(
                inventory.describe(error)) from error
        return tuple(fields), [tuple(map(each.get, fields.values()))
                               for each in found]


def _fields(parsed_args):
    fields = {**_FIELDS, **(_LONG if parsed_args.long else {})}
    return ({'Project': _LONG['Project'], **fields}
            if parsed_args.all_projects else fields)


def _columns(fields, is_long):
    if is_long:
        # Each of them was asked for.
        return tables.Columns(tuple(fields), (), ('Reason',), is_list=True)
    first = next(iter(fields))
    return tables.Columns(tuple(dict.fromkeys((first, *_ESSENTIAL))),
                          _OPTIONAL, ('Reason',), is_list=True)
