# SPDX-License-Identifier: Apache-2.0

"""``openstack stack protect`` and ``openstack stack unprotect``."""

from heat_extras.client import actions
from heat_extras.client.osc import base
from heat_extras.output import lister


class _Command(base.StacksCommand):

    fields = ('id', 'stack_name', 'stack_status', 'delete_protected',
              'delete_protection_resources', 'delete_protection_reason',
              'delete_protected_by')
    names = ('Stack ID', 'Stack Name', 'Stack Status', 'Delete Protected',
             'With Resources', 'Reason', 'Protected By', 'Result')
    shown = lister.Columns(('Stack Name', 'Delete Protected', 'Result'))


class ProtectStack(_Command):
    """Protect stacks from deletion.

    Until "stack unprotect" removes the protection, the stack and the stacks
    nested in it cannot be deleted or abandoned. All other operations are
    allowed, including updates that remove resources, unless you use
    "--resources".

    Examples:

      Protect two stacks, and give a reason:
        openstack stack protect --reason 'the only copy' web mail

      Also reject updates that replace or remove a resource:
        openstack stack protect --resources web
    """

    action = actions.PROTECT


class UnprotectStack(_Command):
    """Remove the delete protection of stacks.

    Examples:

      Let a stack be deleted again:
        openstack stack unprotect web
    """

    action = actions.UNPROTECT
