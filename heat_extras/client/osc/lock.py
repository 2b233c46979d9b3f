# SPDX-License-Identifier: Apache-2.0

"""``openstack stack lock``, ``stack lock set`` and ``stack unlock``."""

from heat_extras.client import actions
from heat_extras.client import error_message
from heat_extras.client.osc import base
from heat_extras.client import stack_action
from heat_extras.output import lister

RESOURCE_FIELDS = ('stack_name', 'resource_name', 'resource_type',
                   'physical_resource_id', 'lock_protection',
                   'lock_protection_reason')
RESOURCE_COLUMNS = ('Stack Name', 'Resource Name', 'Resource Type',
                    'Physical Resource ID', 'Lock Protection',
                    'Lock Protection Reason')
_RESOURCES = lister.Columns(
    ('Stack Name', 'Resource Name', 'Lock Protection',
     'Lock Protection Reason'), wrapped=('Lock Protection Reason',))


class _Command(base.StacksCommand):

    fields = ('id', 'stack_name', 'stack_status', 'lock_level',
              'lock_status', 'lock_reason', 'locked_by', 'lock_id',
              'lock_expires_at')
    names = ('Stack ID', 'Stack Name', 'Stack Status', 'Lock Level',
             'Lock Status', 'Lock Reason', 'Locked By', 'Lock ID',
             'Lock Expires At', 'Result')
    shown = lister.Columns(
        ('Stack Name', 'Lock Level', 'Lock Status', 'Result'))


class LockStack(_Command):
    """Lock stacks, so that they cannot be changed.

    A lock covers a root stack and all stacks nested in it. Until it expires,
    or "stack unlock" removes it, updates, deletion and all other changes are
    rejected. Signals, for example of scaling alarms, are ignored.

    If the name of a stack is "list", "pass", "set" or "show", or the beginning
    of one of these words, type two dashes before it: stack lock -- list

    Examples:

      Lock a stack with all its nested stacks, and give a reason:
        openstack stack lock --wait --reason 'CHG-1042: db move' web

      List the resources that would be protected, without a change:
        openstack stack lock --dry-run web

      Lock a stack for two hours, after which the lock expires:
        openstack stack lock --wait --for 2h web
    """

    action = actions.LOCK

    def take_action(self, parsed_args):
        if not parsed_args.dry_run:
            return super().take_action(parsed_args)
        rows = []
        self.shown = _RESOURCES
        for chosen in self.select_stacks(parsed_args):
            try:
                resources = stack_action.dry_run(self.heat, chosen,
                                                 parsed_args)
            except error_message.FAILURES as error:
                self.fail('stack', chosen.name, error_message.describe(error))
            else:
                rows += [tuple(map(each.get, RESOURCE_FIELDS))
                         for each in resources]
        return RESOURCE_COLUMNS, rows

    def produce_output(self, parsed_args, column_names, data):
        """Print the rows, and below a table how to list the locks."""
        code = super().produce_output(parsed_args, column_names, data)
        line = stack_action.summary(self.done)
        if line and parsed_args.formatter == lister.TABLE:
            self.print_to_stderr(line)
        return code


class UnlockStack(_Command):
    """Unlock stacks and all stacks nested in them.

    The action and status of a stack are the same as before the lock.
    Resources that were protected before the lock stay protected.

    Examples:

      Unlock a stack, and wait until it is unlocked:
        openstack stack unlock --wait web

      Unlock all stacks of the project with a tag:
        openstack stack unlock --tag env=prod
    """

    action = actions.UNLOCK


class SetLock(_Command):
    """Change or remove the expiration of the lock of stacks.

    The lock keeps its ID, level and reason. The duration of "--for" counts
    from now, not from the present expiration.

    To lock a stack that has the name "set": stack lock -- set

    Examples:

      Extend the lock, because the work takes longer:
        openstack stack lock set --for 3h web

      Keep the lock until somebody unlocks the stack:
        openstack stack lock set --no-expiry web
    """

    action = actions.EXTEND
