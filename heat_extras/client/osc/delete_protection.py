# SPDX-License-Identifier: Apache-2.0

"""``openstack stack protect`` and ``openstack stack unprotect``."""

from heat_extras.cli import tables
from heat_extras.client import actions
from heat_extras.client.osc import base


class _Command(base.StacksCommand):

    fields = ('id', 'stack_name', 'stack_status', 'delete_protected',
              'delete_protection_reason', 'delete_protected_by')
    names = ('ID', 'Stack Name', 'Stack Status', 'Delete Protected',
             'Reason', 'Protected By', 'Result')
    shown = tables.Columns(('Stack Name', 'Delete Protected', 'Result'))


class ProtectStack(_Command):
    """Protect stacks from deletion; all else goes on.

    Until it is lifted with "stack unprotect" nobody deletes or abandons the
    stack or one that is nested in it. Updates go on, and so does what they
    remove.

    Examples:

      Let nobody delete two stacks, and say why:
        openstack stack protect --reason 'the only copy' web mail
    """

    action = actions.PROTECT


class UnprotectStack(_Command):
    """Lift the protection of stacks from deletion.

    Examples:

      Let a stack be deleted again:
        openstack stack unprotect web
    """

    action = actions.UNPROTECT
