# SPDX-License-Identifier: Apache-2.0

"""``openstack stack freeze list``."""

from osc_lib.cli import format_columns

from heat_extras.client import error_message
from heat_extras.client import managers
from heat_extras.output import lister

COLUMNS = ('Name', 'Active', 'Begin', 'End', 'Reason', 'Operations')


class ListFreezes(lister.SafeLister):
    """List the freezes of the project that are in effect or will begin.

    During a freeze, the operations are rejected, and the operation "signal"
    is ignored. A freeze that repeats is listed once, with its current or next
    time. Freezes from which you are exempt are not listed.

    Examples:

      List the times in which the stacks of the project cannot be changed:
        openstack stack freeze list
    """

    shown = lister.Columns(COLUMNS, COLUMNS[2:])

    def take_action(self, parsed_args):
        with error_message.command_errors(error_message.MISSING_FREEZES):
            freezes = managers.LockManager(self.heat).list_freezes()
        return COLUMNS, [
            (*map(each.get, ('name', 'active', 'begin', 'end', 'reason')),
             format_columns.ListColumn(each['operations']))
            for each in freezes]
