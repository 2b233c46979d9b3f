# SPDX-License-Identifier: Apache-2.0

"""``openstack stack lock pass grant``, ``list`` and ``revoke``."""

import re

from keystoneauth1 import exceptions as keystone_exceptions
from osc_lib import exceptions

from heat_extras.client import actions
from heat_extras.client.osc import base
from heat_extras.client.osc import lock_list
from heat_extras.output import lister

# IDs that Keystone generates: of its own users, and of users of LDAP servers
# and identity providers.
_ID = re.compile('[0-9a-f]{32}|[0-9a-f]{64}')


class _Command(base.StacksCommand):

    fields = ('id', 'stack_name', 'stack_status', 'lock_level', 'lock_id',
              'pass_user', 'pass_expires_at')
    names = ('Stack ID', 'Stack Name', 'Stack Status', 'Lock Level', 'Lock ID',
             'Pass For', 'Pass Expires At', 'Result')
    shown = lister.Columns(
        ('Stack Name', 'Pass For', 'Pass Expires At', 'Result'))


class GrantPass(_Command):
    """Allow one update of locked stacks by one user.

    The lock stays in effect for all other users. When the update has ended,
    with any result, the lock is in effect for this user again. The level of
    the lock must be "stacks". Until the next "stack lock", the status of the
    stack shows neither the lock nor its unlock.

    Examples:

      Let a pipeline update a locked stack once, within two hours:
        openstack stack lock pass grant --user bob --for 2h mail
    """

    action = actions.GRANT

    def take_action(self, parsed_args):
        """Find the user first; overrides base.StacksCommand."""
        # Heat itself can compare the name and domain of a user. Without
        # Keystone, there is only an ID.
        if (parsed_args.user_domain is None
                and self.app.client_manager.auth_ref is not None):
            parsed_args.user = self._find_id(parsed_args.user)
        return super().take_action(parsed_args)

    def _find_id(self, user):
        # Imported here because it imports all of openstacksdk.
        from osc_lib import utils
        try:
            return utils.find_resource(
                self.app.client_manager.identity.users, user).id
        except keystone_exceptions.Forbidden:
            if _ID.fullmatch(user):
                return user
            raise exceptions.CommandError(
                f'Keystone does not allow you to look up user {user!r}. Give '
                'the ID of the user, or also give --user-domain.') from None
        except exceptions.CommandError as error:
            raise exceptions.CommandError(
                f'{error} Give the name or ID of a user, or also give '
                '--user-domain.') from None


class ListPasses(lister.SafeLister):
    """List the lock passes of a project.

    A lock pass without a time in "Pass Used At" has not been used.

    Examples:

      List the users who may update a locked stack, and until when:
        openstack stack lock pass list
    """

    fields = {
        'Stack Name': 'stack_name', 'Pass For': 'pass_user',
        'Pass Expires At': 'pass_expires_at', 'Pass Used At': 'pass_used_at',
        'Reason': 'pass_reason', 'Project': 'project', 'Stack ID': 'stack_id',
        'Lock ID': 'id'}

    def add_arguments(self, parser):
        lock_list.add_all_projects(parser)
        parser.set_defaults(level='stacks', limit=None, marker=None,
                            expires_before=None)

    def take_action(self, parsed_args):
        names = tuple(self.fields)
        self.shown = lister.Columns(
            (*names[:5], 'Project') if parsed_args.all_projects
            else names[:5], names[1:5])
        return names, [
            tuple(map(each.get, self.fields.values()))
            for each in lock_list.find_locks(self.heat, parsed_args)
            if each['pass_user']]


class RevokePass(_Command):
    """Revoke the lock pass of stacks, if it has not been used.

    Examples:

      Revoke a lock pass that is not needed any more:
        openstack stack lock pass revoke mail
    """

    action = actions.REVOKE
