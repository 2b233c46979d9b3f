# SPDX-License-Identifier: Apache-2.0

"""``openstack stack freeze list``."""

from osc_lib.cli import format_columns
from osc_lib import exceptions

from heat_extras.cli import help_text
from heat_extras.cli import tables
from heat_extras.client import error_message
from heat_extras.client import managers
from heat_extras.client.osc import lister
from heat_extras.client import stack_action

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

    shown = tables.Columns(COLUMNS, COLUMNS[2:])

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        help_text.use_docstring(parser)
        return parser

    def take_action(self, parsed_args):
        manager = managers.LockManager(self.app.client_manager.orchestration)
        try:
            freezes = manager.list_freezes()
        except stack_action.FAILURES as error:
            raise exceptions.CommandError(error_message.describe(
                error, error_message.MISSING_FREEZES)) from error
        return COLUMNS, [
            (*map(each.get, ('name', 'active', 'begin', 'end', 'reason')),
             format_columns.ListColumn(each['operations']))
            for each in freezes]
