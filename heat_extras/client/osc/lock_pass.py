# SPDX-License-Identifier: Apache-2.0

"""``openstack stack lock pass grant`` and ``stack lock pass revoke``."""

from heat_extras.cli import tables
from heat_extras.client import actions
from heat_extras.client.osc import base


class _Command(base.StacksCommand):

    fields = ('id', 'stack_name', 'stack_status', 'lock_level', 'lock_id',
              'pass_user', 'pass_expires_at')
    names = ('ID', 'Stack Name', 'Stack Status', 'Lock Level', 'Lock ID',
             'Pass For', 'Pass Expires At', 'Result')
    shown = tables.Columns(
        ('Stack Name', 'Pass For', 'Result'),
        ('Pass Expires At', 'Stack Status', 'Lock Level', 'ID', 'Lock ID'))

    # What has to be typed as it is, after "stack lock".
    below: str

    def take_action(self, parsed_args):
        base.check_spelling(self, self.below)
        return super().take_action(parsed_args)


class GrantPass(_Command):
    """Let one update of one user go through the lock of stacks.

    The lock stays in force for everybody else, and holds for that user again
    when the update is over, whatever became of it. It takes a lock of level
    stacks. From then on the status of the stack is shown as it is, and not
    that of the lock.
    """

    action = actions.GRANT
    words, below = 'lock pass grant', 'pass grant'


class RevokePass(_Command):
    """Take the pass through the lock of stacks away, if it is not used yet."""

    action = actions.REVOKE
    words, below = 'lock pass revoke', 'pass revoke'
