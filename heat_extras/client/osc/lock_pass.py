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
        ('Stack Name', 'Pass For', 'Pass Expires At', 'Result'))


class GrantPass(_Command):
    """Let one update of one user go through the lock of stacks.

    The lock stays in force for everybody else, and holds for that user again
    when the update is over, whatever became of it. It takes a lock of level
    stacks. From then on the status of the stack is shown as it is, and not
    that of the lock.

    Examples:

      Let a pipeline update a locked stack once, within two hours:
        openstack stack lock pass grant --user 0bd8 --for 2h mail
    """

    action = actions.GRANT


class RevokePass(_Command):
    """Take the pass through the lock of stacks away, if it is not used yet.

    Examples:

      It is not needed any more:
        openstack stack lock pass revoke mail
    """

    action = actions.REVOKE
