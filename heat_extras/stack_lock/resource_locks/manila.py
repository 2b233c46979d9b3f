# SPDX-License-Identifier: Apache-2.0

"""Manila: resource locks of shares, API 2.81 and later.

A share can have several locks. The id of the stack's lock is saved, and only
that lock is removed. Only its user can remove a lock, not another member of
the project. So the lock of a member is set as the owner of the stack, with the
credentials that Heat keeps for it. It is removed with the credentials of the
caller, or if that is not allowed, with those of the stack. The lock of an
administrator belongs to the administrator.
"""

from heat.common import exception
from manilaclient import api_versions
from manilaclient import client as manila_client
from manilaclient import exceptions

from heat_extras import monkey_patch
from heat_extras import sanitize
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock import states

_WHY = 'Heat has no action LOCK, and its resources no handler for it'
_VERSION = '2.81'
_REASON_LENGTH = 1023


class ShareLockMixin:
    """Extends Heat's share class."""

    TARGETS = ('heat.engine.resources.openstack.manila.share:ManilaShare',)

    @monkey_patch.add(why=_WHY)
    def find_lock(self):
        """Return which lock of the share stops its deletion, its own first.

        :raises NoLockAPI: when this Manila has no resource locks.
        """
        found = _locks(self)
        if not found:
            return None
        ours = _ours(self, found)
        lock = next(iter(ours), found[0])
        return (f'the share has lock {lock.id} of user {lock.user_id}'
                + sanitize.because(lock.lock_reason), bool(ours))

    @monkey_patch.add(why=_WHY)
    def handle_lock(self, level):
        """Add a lock to the share."""
        created = _client(self, _locking_context(self)).resource_locks.create(
            self.resource_id, 'share', resource_action='delete',
            lock_reason=handler_api.reason_text(self, _REASON_LENGTH))
        handler_api.save_lock_id(self, created.id)

    @monkey_patch.add(why=_WHY)
    def handle_unlock(self):
        """Remove the lock of the stack, and no other one."""
        for lock in _ours(self, _locks(self)):
            try:
                _client(self, self.context).resource_locks.delete(lock.id)
            except exceptions.Forbidden:
                stored = _stored_context(self)
                if stored is None:
                    raise
                _client(self, stored).resource_locks.delete(lock.id)


def _locks(resource):
    wanted = {'resource_id': resource.resource_id,
              'resource_type': 'share', 'resource_action': 'delete'}
    if resource.context.project_id != resource.stack.tenant_id:
        # The lock belongs to another project than the administrator's.
        wanted['all_projects'] = True
    return _client(resource, resource.context).resource_locks.list(
        search_opts=wanted)


def _ours(resource, found):
    known = handler_api.load_lock_id(resource)
    if known is not None:
        return [lock for lock in found if lock.id == known]
    # An engine stopped before it could save the id.
    return [lock for lock in found if handler_api.is_own_reason(
        resource, lock.lock_reason, _REASON_LENGTH)]


def _locking_context(resource):
    if lock_record.of(resource.stack).rank == states.ADMIN:
        return resource.context
    return _stored_context(resource) or resource.context


def _stored_context(resource):
    try:
        return resource.stack.stored_context()
    except exception.Error:
        # The stack has none: heat.engine.stack.Stack.stored_context.
        return None


def _client(resource, context):
    # Heat's plugin asks for an older version of the API.
    client = manila_client.Client(
        _VERSION, session=context.keystone_session,
        service_type='sharev2',
        region_name=resource.client_plugin()._get_region_name())
    highest = api_versions.APIVersion(
        client.services.server_api_version()[-1].version)
    if highest < api_versions.APIVersion(_VERSION):
        raise handler_api.NoLockAPI(
            f'this Manila has API {highest.get_string()}; resource locks need '
            f'{_VERSION}')
    return client
