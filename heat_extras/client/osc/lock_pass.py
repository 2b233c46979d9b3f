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
    """Allow one update of locked stacks by one user.

    The lock stays in effect for all other users. When the update has ended,
    with any result, the lock is in effect for this user again. The level of
    the lock must be "stacks". Until the next "stack lock", the status of the
    stack shows neither the lock nor its unlock.

    Examples:

      Let a pipeline update a locked stack once, within two hours:
        openstack stack lock pass grant --user 0bd8 --for 2h mail
    """

    action = actions.GRANT


class RevokePass(_Command):
    """Revoke the lock pass of stacks, if it has not been used.

    Examples:

      Revoke a lock pass that is not needed any more:
        openstack stack lock pass revoke mail
    """

    action = actions.REVOKE
