# SPDX-License-Identifier: Apache-2.0

"""``openstack stack guard list``."""

from osc_lib.cli import format_columns

from heat_extras.client import error_message
from heat_extras.client import managers
from heat_extras.output import lister

FIELDS = ('stack_name', 'kind', 'name', 'set_by', 'reason', 'stops',
          'may_stop', 'how_to_lift', 'expires_at', 'set_at', 'lifted_by')
COLUMNS = ('Stack Name', 'Kind', 'Name', 'Set By', 'Reason', 'Stops',
           'May Stop', 'How To Lift', 'Expires At', 'Set At', 'Lifted By')
_LISTS = ('stops', 'may_stop')
_SHORT = ('Kind', 'Name', 'Set By', 'Reason', 'Stops', 'How To Lift')
_WRAPPED = ('Reason', 'Stops', 'May Stop', 'How To Lift')


class ListGuards(lister.SafeLister):
    """List everything that protects a stack.

    "Stops" has the actions that a guard rejects. "May Stop" has the actions
    that it may reject, for example because a lifecycle plugin decides. Without
    --long, a table has both in the column "Stops".

    Examples:

      List the guards of a stack and of all stacks nested in it:
        openstack stack guard list --nested web

      List the guards that reject its deletion, for a program:
        openstack stack guard list --blocking delete -f json web

      List the guards of a time in the future:
        openstack stack guard list --at 2026-12-24T18:00:00Z web
    """

    def add_arguments(self, parser):
        parser.add_argument('stack', metavar='<stack>',
                            help='Stack (name or ID)')
        parser.add_argument(
            '--nested', action='store_true',
            help='Also list the guards of nested stacks')
        parser.add_argument(
            '--blocking', metavar='<action>',
            help='List only guards that reject this action, or may reject it '
                 '(for example update, replace, delete or suspend)')
        parser.add_argument(
            '--at', metavar='<time>',
            help='List the guards of this time instead of the current guards, '
                 'with its time zone: 2026-12-24T18:00:00Z. The list has the '
                 'freezes of this time, and the current guards that will not '
                 'have expired')
        parser.add_argument(
            '--long', action='store_true',
            help='Show all fields of the guards in the table')

    def take_action(self, parsed_args):
        self.shown = lister.Columns(
            COLUMNS if parsed_args.long else
            ('Stack Name', *_SHORT) if parsed_args.nested else _SHORT,
            _WRAPPED)
        with error_message.command_errors(error_message.MISSING_GUARDS):
            listed = managers.GuardManager(self.heat).list(
                parsed_args.stack, parsed_args.nested, parsed_args.blocking,
                parsed_args.at)
        if parsed_args.formatter == lister.TABLE and not (
                parsed_args.long or parsed_args.columns):
            listed = [{**each, 'stops': _join_stops(each)} for each in listed]
        return COLUMNS, [
            tuple(map(_format_field, FIELDS, map(each.get, FIELDS)))
            for each in listed]


def _join_stops(guard):
    may_stop = ', '.join(sorted(guard['may_stop']))
    return [*guard['stops'], *([f'may stop: {may_stop}'] if may_stop else ())]


def _format_field(field, value):
    return (format_columns.ListColumn(value) if field in _LISTS
            else value)
