# SPDX-License-Identifier: Apache-2.0

"""``openstack stack lock list``."""

from osc_lib import exceptions

from heat_extras.client import errand
from heat_extras.client import inventory
from heat_extras.client.osc import lister
from heat_extras.client.osc import spelling
from heat_extras.terminal import examples
from heat_extras.terminal import tables

COLUMNS = ('ID', 'Stack Name', 'Stack ID', 'Project', 'Level', 'Status',
           'Reason', 'Locked By', 'Locked At', 'Expires At', 'Pass For',
           'Pass Expires At', 'Pass Used At')
OPTIONAL = ('Locked By', 'Expires At', 'Reason', 'ID', 'Locked At',
            'Project', 'Stack ID', 'Pass For', 'Pass Expires At',
            'Pass Used At')


class ListLocks(lister.SafeLister):
    """List the locks of a project, by their IDs.

    To lock a stack that has the name "list": stack lock -- list
    """

    shown = tables.Columns(('Stack Name', 'Level', 'Status'), OPTIONAL)

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        examples.add(parser, 'openstack stack lock list')
        inventory.add_arguments(parser)
        return parser

    def take_action(self, parsed_args):
        spelling.check(self, 'list')
        if parsed_args.all_projects:
            self.shown = tables.Columns(
                ('Project', *self.shown.essential), OPTIONAL)
        try:
            found = inventory.read(self.app.client_manager.orchestration,
                                   parsed_args)
        except errand.FAILURES as error:
            raise exceptions.CommandError(
                inventory.describe(error)) from error
        return COLUMNS, [tuple(map(each.get, inventory.FIELDS))
                         for each in found]
