# SPDX-License-Identifier: Apache-2.0

"""``openstack stack protect`` and ``openstack stack unprotect``."""

import abc

from heat_extras.client import errand
from heat_extras.client.osc import several
from heat_extras.terminal import examples
from heat_extras.terminal import tables

FIELDS = ('id', 'stack_name', 'stack_status', 'delete_protected',
          'delete_protection_reason', 'delete_protected_by')
COLUMNS = ('ID', 'Stack Name', 'Stack Status', 'Delete Protected',
           'Reason', 'Protected By', 'Result')


class _Command(several.SeveralLister, metaclass=abc.ABCMeta):
    """Work through several stacks, going on after an error."""

    #: 'PROTECT' or 'UNPROTECT'.
    action: str
    shown = tables.Columns(
        ('Stack Name', 'Delete Protected', 'Result'),
        ('Protected By', 'Reason', 'Stack Status', 'ID'))

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        verb = self.action.lower()
        examples.add(parser, f'openstack stack {verb}')
        parser.add_argument(
            'stack', metavar='<stack>', nargs='+',
            help=f'Root stack(s) to {verb} (name or ID)')
        return parser

    def take_action(self, parsed_args):
        return COLUMNS, [self._row(stack, parsed_args)
                         for stack in parsed_args.stack]

    @abc.abstractmethod
    def act(self, manager, identity, parsed_args):
        """Send the request for one stack."""

    def _row(self, stack, parsed_args):
        done = errand.Errand(
            self.app.client_manager.orchestration, stack, self.action)
        done.run(lambda manager, identity:
                 self.act(manager, identity, parsed_args))
        if done.failure:
            self.fail(f'stack {stack}', done.failure)
        return (*map(done.shown.get, FIELDS), done.result)


class ProtectStack(_Command):
    """Protect stacks from deletion; all else goes on.

    Until it is lifted with "stack unprotect" nobody deletes or abandons the
    stack or one that is nested in it. Updates go on, and so does what they
    remove.
    """

    action = 'PROTECT'

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--reason', metavar='<text>',
            help='Why; shown to everybody who wants to delete it')
        return parser

    def act(self, manager, identity, parsed_args):
        return manager.protect(identity, reason=parsed_args.reason)


class UnprotectStack(_Command):
    """Lift the protection of stacks from deletion."""

    action = 'UNPROTECT'

    def act(self, manager, identity, parsed_args):
        return manager.unprotect(identity)
