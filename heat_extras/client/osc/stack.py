# SPDX-License-Identifier: Apache-2.0

"""``openstack stack lock`` and ``openstack stack unlock``."""

import abc

from heat_extras.client import errand
from heat_extras.client import locks
from heat_extras.client.osc import several
from heat_extras.client import protection
from heat_extras.terminal import examples
from heat_extras.terminal import tables

STACK_FIELDS = ('id', 'stack_name', 'stack_status', 'lock_level',
                'lock_reason', 'locked_by')
STACK_COLUMNS = ('ID', 'Stack Name', 'Stack Status', 'Lock Level',
                 'Lock Reason', 'Locked By', 'Result')

_STACKS = tables.Columns(
    ('Stack Name', 'Stack Status', 'Result'),
    ('Lock Level', 'Locked By', 'Lock Reason', 'ID'))

RESOURCE_FIELDS = ('stack_name', 'resource_name', 'resource_type',
                   'physical_resource_id', 'lock_protection',
                   'lock_protection_reason')
RESOURCE_COLUMNS = ('Stack Name', 'Resource Name', 'Resource Type',
                    'Physical Resource ID', 'Lock Protection',
                    'Lock Protection Reason')
_RESOURCES = tables.Columns(
    ('Stack Name', 'Resource Name', 'Lock Protection',
     'Lock Protection Reason'), ('Resource Type', 'Physical Resource ID'))


class _StacksCommand(several.SeveralLister, metaclass=abc.ABCMeta):
    """Work through several stacks, going on after an error."""

    #: 'LOCK' or 'UNLOCK', as in the statuses that the command leads to.
    action: str
    shown = _STACKS

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        examples.add(parser, f'openstack stack {self.action.lower()}')
        parser.add_argument(
            'stack', metavar='<stack>', nargs='+',
            help=f'Root stack(s) to {self.action.lower()} (name or ID)')
        parser.add_argument(
            '--wait', action='store_true',
            help='Wait until it is done, showing events on standard error')
        return parser

    def take_action(self, parsed_args):
        rows = [self._row(stack, parsed_args) for stack in parsed_args.stack]
        return STACK_COLUMNS, rows

    @abc.abstractmethod
    def act(self, manager, identity, parsed_args):
        """Send the request for one stack."""

    def report(self, done, parsed_args):
        """Say more about a stack on standard error, if there is more."""

    def _row(self, stack, parsed_args):
        done = errand.Errand(
            self.app.client_manager.orchestration, stack, self.action)
        done.run(lambda manager, identity:
                 self.act(manager, identity, parsed_args),
                 self.app.stderr if parsed_args.wait else None)
        if done.failure:
            self.fail(f'stack {stack}', done.failure)
        else:
            self.report(done, parsed_args)
        if done.advice:
            self.say(done.advice)
        return (*map(done.shown.get, STACK_FIELDS), done.result)


class LockStack(_StacksCommand):
    """Lock stacks, so that nothing and nobody changes them.

    A lock covers a root stack and all stacks nested in it. Until it is
    lifted with "stack unlock", updates, deletion and all other changes are
    refused, and signals (scaling alarms, for instance) are ignored.
    """

    action = 'LOCK'

    def get_parser(self, prog_name):
        parser = super().get_parser(prog_name)
        parser.add_argument(
            '--level', choices=locks.LEVELS, default='all',
            help='What to lock: "stacks" leaves the physical resources '
                 'free, "all" (default) also protects each resource whose '
                 'service has a lock of its own')
        parser.add_argument(
            '--reason', metavar='<text>',
            help='Why; shown to everybody whom the lock stops')
        parser.add_argument(
            '--dry-run', action='store_true',
            help='Change nothing, list the resources and whether they '
                 'would be protected')
        return parser

    def take_action(self, parsed_args):
        if not parsed_args.dry_run:
            return super().take_action(parsed_args)
        rows = []
        self.shown = _RESOURCES
        for stack in parsed_args.stack:
            rows.extend(self._preview(stack, parsed_args))
        return RESOURCE_COLUMNS, rows

    def act(self, manager, identity, parsed_args):
        return manager.lock(identity, level=parsed_args.level,
                            reason=parsed_args.reason,
                            dry_run=parsed_args.dry_run)

    def report(self, done, parsed_args):
        if parsed_args.level != 'all' or done.is_running:
            return
        line = protection.warning(
            done.heat_client, done.shown['stack_name'], done.identity)
        if line:
            self.say(line)

    def _preview(self, stack, parsed_args):
        heat = self.app.client_manager.orchestration
        manager = locks.LockManager(heat)
        try:
            answer = self.act(manager, stack, parsed_args)
            resources = answer['lock']['resources']
        except errand.FAILURES as error:
            self.fail(f'stack {stack}',
                      errand.explain(error, heat, stack))
            return []
        except (KeyError, TypeError):
            self.fail(f'stack {stack}',
                      'wanted the list of resources from the server, '
                      f'found {answer!r}; look with "openstack stack '
                      f'show {stack}" whether the stack is locked')
            return []
        return [tuple(map(each.get, RESOURCE_FIELDS)) for each in resources]


class UnlockStack(_StacksCommand):
    """Lift the lock of stacks and of all stacks nested in them.

    Afterwards a stack is what it was before the lock, and what was protected
    before the lock stays protected.
    """

    action = 'UNLOCK'

    def act(self, manager, identity, parsed_args):
        return manager.unlock(identity)
