# SPDX-License-Identifier: Apache-2.0

"""Nova: ``lock`` and ``unlock`` of servers.

Nova accepts a second lock of the owner in silence, so what is locked is
looked up first (``locked``, from microversion 2.9). It refuses stop, delete,
resize and the like to non-admins then; not snapshots, renames or admins.

Whose a lock is, no field of a server tells: an admin's lock over ours keeps
our reason. The list of the server's actions does: a lock that came into
force has an entry with the id of its request, one that was ignored has none.
"""

from heat_extras import monkey_patch
from heat_extras import sanitize
from heat_extras.stack_lock.resource_locks import handler_api

_SHOWS_LOCKED, _TAKES_REASON = '2.9', '2.73'
_REASON_LENGTH = 255

_WHY = 'Heat has no action LOCK, and its resources no handler for it'


class ServerLockMixin:
    """Extends Heat's server classes."""

    TARGETS = (
        'heat.engine.resources.openstack.nova.server:Server',
        'heat.engine.resources.aws.ec2.instance:Instance')

    @monkey_patch.add(why=_WHY)
    def find_lock(self):
        """Say who has locked the server, where Nova tells, and if it is us.

        :raises NoLockAPI: when this Nova does not show locks.
        """
        if not self.client_plugin().is_version_supported(_SHOWS_LOCKED):
            raise handler_api.NoLockAPI(
                f'this Nova does not show locks before {_SHOWS_LOCKED}')
        server = _client(self).servers.get(self.resource_id)
        if not server.locked:
            return None
        # Asked after the server: a lock that came in between is seen.
        entry = _newest_lock(self)
        by = f' by user {entry.user_id}' if entry and entry.user_id else ''
        return handler_api.Found(
            f'the server is locked{by}' + sanitize.because(
                getattr(server, 'locked_reason', None)), _is_own(self, entry))

    @monkey_patch.add(why=_WHY)
    def handle_lock(self, level):
        """Lock the server, with our reason where Nova takes one.

        :raises LockedByOthers: when somebody was faster.
        """
        servers = _client(self).servers
        if _takes_reason(self):
            done = servers.lock(self.resource_id, reason=handler_api.text(
                self, _REASON_LENGTH))
        else:
            done = servers.lock(self.resource_id)
        entry = _newest_lock(self)
        if entry is None:
            return
        if entry.request_id not in done.request_ids and not (
                entry.user_id == self.context.user_id
                and _has_our_reason(self)):
            raise handler_api.LockedByOthers(
                f'the server was just locked by user {entry.user_id}')
        # Not this request's id, perhaps: the answer to an earlier attempt
        # can have been lost.
        handler_api.remember(self, entry.request_id)

    @monkey_patch.add(why=_WHY)
    def handle_unlock(self):
        """Unlock the server."""
        _client(self).servers.unlock(self.resource_id)


def _takes_reason(resource):
    return resource.client_plugin().is_version_supported(_TAKES_REASON)


def _client(resource):
    return resource.client(version=_TAKES_REASON if _takes_reason(resource)
                           else _SHOWS_LOCKED)


def _newest_lock(resource):
    # Newest first: nova.db.main.api.actions_get.
    entries = _client(resource).instance_action.list(resource.resource_id)
    return next((entry for entry in entries if entry.action == 'lock'), None)


def _is_own(resource, entry):
    known = handler_api.recall(resource)
    if entry is not None and known is not None:
        return entry.request_id == known
    # An engine died before it could note its request, or Nova keeps no
    # entries of locks.
    is_ours = _has_our_reason(resource)
    if is_ours and entry is not None:
        handler_api.remember(resource, entry.request_id)
    return is_ours


def _has_our_reason(resource):
    if not _takes_reason(resource):
        return True
    # Shown after the entry, so that both can't be of another lock.
    server = _client(resource).servers.get(resource.resource_id)
    return handler_api.is_text(resource, server.locked_reason, _REASON_LENGTH)
