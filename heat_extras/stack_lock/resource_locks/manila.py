# SPDX-License-Identifier: Apache-2.0

"""Manila: resource locks of shares, API 2.81 and later.

A share can have several locks. The ID of the stack's lock is saved, and only
this lock is removed. Only its user can remove a lock, and no other member of
the project. So the lock of a member is set as the owner of the stack, with the
credentials that Heat stores for the stack. It is removed with the credentials
of the caller, or if this is not allowed, with the stored credentials. The lock
of an administrator belongs to the administrator.
"""

from heat.common import exception
from manilaclient import api_versions
from manilaclient import client as manila_client
from manilaclient import exceptions

from heat_extras import sanitize
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock import states

_VERSION = '2.81'
_REASON_LENGTH = 1023


class ShareLockMixin:
    """Extends Heat's share class."""

    TARGETS = ('heat.engine.resources.openstack.manila.share:ManilaShare',)

    def find_lock(self):
        """Return a lock that prevents deletion, preferably the stack's own.

        :raises NoLockAPI: if this Manila has no resource locks.
        """
        locks = _list_locks(self)
        if not locks:
            return None
        own = _own_locks(self, locks)
        lock = next(iter(own), locks[0])
        return (f'the share has lock {lock.id} of user {lock.user_id}'
                + sanitize.after_colon(lock.lock_reason), bool(own))

    def handle_lock(self, level):
        """Add a lock to the share."""
        created = _client(self, _locking_context(self)).resource_locks.create(
            self.resource_id, 'share', resource_action='delete',
            lock_reason=handler_api.reason_text(self, _REASON_LENGTH))
        handler_api.save_lock_id(self, created.id)

    def handle_unlock(self):
        """Remove only the lock of the stack."""
        for lock in _own_locks(self, _list_locks(self)):
            try:
                _client(self, self.context).resource_locks.delete(lock.id)
            except exceptions.Forbidden:
                stored = _stored_context(self)
                if stored is None:
                    raise
                _client(self, stored).resource_locks.delete(lock.id)


def _list_locks(resource):
    filters = {'resource_id': resource.resource_id,
               'resource_type': 'share', 'resource_action': 'delete'}
    if resource.context.project_id != resource.stack.tenant_id:
        # The lock belongs to another project than the administrator's.
        filters['all_projects'] = True
    return _client(resource, resource.context).resource_locks.list(
        search_opts=filters)


def _own_locks(resource, locks):
    lock_id = handler_api.load_lock_id(resource)
    if lock_id is not None:
        return [lock for lock in locks if lock.id == lock_id]
    # An engine might have stopped before it saved the ID.
    return [lock for lock in locks if handler_api.is_own_reason(
        resource, lock.lock_reason, _REASON_LENGTH)]


def _locking_context(resource):
    if lock_record.lock_of(resource.stack).rank == states.ADMIN:
        return resource.context
    return _stored_context(resource) or resource.context


def _stored_context(resource):
    try:
        return resource.stack.stored_context()
    except exception.Error:
        # The stack has no stored context
        # (heat.engine.stack.Stack.stored_context).
        return None


def _client(resource, context):
    # Heat's plugin uses an older version of the API.
    client = manila_client.Client(
        _VERSION, session=context.keystone_session,
        service_type='sharev2',
        region_name=resource.client_plugin()._get_region_name())
    highest = api_versions.APIVersion(
        client.services.server_api_version()[-1].version)
    if highest < api_versions.APIVersion(_VERSION):
        raise handler_api.NoLockAPI(
            f'this Manila supports API version {highest.get_string()}, but '
            f'resource locks require version {_VERSION}')
    return client
