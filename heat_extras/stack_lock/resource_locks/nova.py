# SPDX-License-Identifier: Apache-2.0

"""Nova: ``lock`` and ``unlock`` of servers, with a reason (API 2.73).

Nova ignores a second lock of the owner without an error, so the server is
checked before it is locked. Nova then rejects stop, delete, resize and similar
requests of users that are not administrators, but not snapshots or renames.

A server has no field with the user who locked it. If an administrator locks a
server that the stack has locked, Nova keeps the reason. But the list of the
server's actions has an entry for each lock in effect, with the ID of its
request.
"""

from heat_extras import sanitize
from heat_extras.stack_lock.resource_locks import handler_api

_VERSION = '2.73'
_REASON_LENGTH = 255


class ServerLockMixin:
    """Extends Heat's server classes."""

    TARGETS = (
        'heat.engine.resources.openstack.nova.server:Server',
        'heat.engine.resources.aws.ec2.instance:Instance')

    def find_lock(self):
        """Return the user who locked the server, and whether by this stack.

        :raises NoLockAPI: if this Nova accepts no reason for a lock.
        """
        if not self.client_plugin().is_version_supported(_VERSION):
            raise handler_api.NoLockAPI(
                f'this Nova does not support API version {_VERSION}, which '
                'locks with a reason require')
        server = _client(self).servers.get(self.resource_id)
        if not server.locked:
            return None
        # Query this after the server, to include a lock that was just added.
        entry = _newest_lock(self)
        by = f' by user {entry.user_id}' if entry and entry.user_id else ''
        request_id = handler_api.load_lock_id(self)
        # The ID is None if an engine stopped before it saved the ID. There are
        # no entries if Nova does not record locks.
        is_own = (_is_own_reason(self, server)
                  if entry is None or not request_id
                  else entry.request_id == request_id)
        return (f'the server is locked{by}'
                + sanitize.after_colon(server.locked_reason), is_own)

    def handle_lock(self, level):
        """Lock the server.

        :raises LockedByOthers: if another user has locked it just before.
        """
        servers = _client(self).servers
        done = servers.lock(self.resource_id, reason=handler_api.reason_text(
            self, _REASON_LENGTH))
        entry = _newest_lock(self)
        if entry is None:
            return
        # Also accept a lock of the same user with this reason, because the
        # answer to an earlier attempt can be lost.
        if entry.request_id not in done.request_ids and not (
                entry.user_id == self.context.user_id
                and _is_own_reason(self, servers.get(self.resource_id))):
            raise handler_api.LockedByOthers(
                f'the server was just locked by user {entry.user_id}')
        handler_api.save_lock_id(self, entry.request_id)

    def handle_unlock(self):
        """Unlock the server."""
        _client(self).servers.unlock(self.resource_id)


def _client(resource):
    return resource.client(version=_VERSION)


def _newest_lock(resource):
    # The list has the newest entry first (nova.db.main.api.actions_get).
    entries = _client(resource).instance_action.list(resource.resource_id)
    return next((entry for entry in entries if entry.action == 'lock'), None)


def _is_own_reason(resource, server):
    return handler_api.is_own_reason(resource, server.locked_reason,
                                     _REASON_LENGTH)
