# SPDX-License-Identifier: Apache-2.0

"""``openstack stack guard list``."""

from osc_lib.cli import format_columns
from osc_lib import exceptions

from heat_extras.client import errand
from heat_extras.client import guards
from heat_extras.client import messages
from heat_extras.client.osc import lister
from heat_extras.terminal import examples
from heat_extras.terminal import tables

FIELDS = ('stack_name', 'kind', 'name', 'stops', 'set_by', 'set_at',
          'reason', 'lifted_by', 'how_to_lift', 'expires_at')
COLUMNS = ('Stack Name', 'Kind', 'Name', 'Stops', 'Set By', 'Set At',
           'Reason', 'Lifted By', 'How To Lift', 'Expires At')


class ListGuards(lister.SafeLister):
    """List what protects a stack: from what, by whom, why, how to lift it."""

    shown = tables.Columns(
        ('Kind', 'Name', 'Stops', 'How To Lift'),
        ('Stack Name', 'Set By', 'Expires At', 'Reason', 'Lifted By',
         'Set At'))

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        examples.add(parser, 'openstack stack guard list')
        parser.add_argument('stack', metavar='<stack>',
                            help='Stack (name or ID)')
        parser.add_argument(
            '--nested', action='store_true',
            help='List the guards of nested stacks, too')
        parser.add_argument(
            '--blocking', metavar='<action>',
            help='Only what would stop this action: update, replace, '
                 'delete, suspend...')
        parser.add_argument(
            '--at', metavar='<time>',
            help='List the guards of a moment, with its time zone: '
                 '2026-12-24T18:00:00Z. Freezes are those of then; of what '
                 'is set now, what will have ended by itself is left out')
        return parser

    def take_action(self, parsed_args):
        manager = guards.GuardManager(self.app.client_manager.orchestration)
        try:
            found = manager.list(parsed_args.stack, parsed_args.nested,
                                 parsed_args.blocking, parsed_args.at)
        except errand.FAILURES as error:
            raise exceptions.CommandError(
                messages.describe(error, messages.MISSING_GUARDS,
                                  messages.UNSURE_GUARDS)) from error
        return COLUMNS, [tuple(map(_shown, FIELDS, map(each.get, FIELDS)))
                         for each in found]


def _shown(field, value):
    return format_columns.ListColumn(value) if field == 'stops' else value
