# SPDX-License-Identifier: Apache-2.0

"""Remote stacks: call the lock action of the other Heat, level ``all``."""

from heat.engine.resources.openstack.heat import remote_stack
from heatclient import exc
from oslo_config import cfg

from heat_extras.client import managers
from heat_extras import sanitize
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import handler_api


class RemoteStackLockMixin:
    """Extends Heat's class of remote stacks."""

    TARGETS = (
        'heat.engine.resources.openstack.heat.remote_stack:RemoteStack',)

    def find_lock(self):
        """Return who locked the remote stack, and whether this stack did.

        :raises NoLockAPI: if the other Heat has no locks.
        """
        shown = _show(self)
        if managers.LOCK_LEVEL not in shown:
            raise _without_locks('the remote Heat has no stack locks')
        if shown[managers.LOCK_LEVEL] is None:
            return None
        saved = handler_api.load_lock_id(self)
        # None if an engine stopped before it saved the identity. The stack
        # was not locked when this engine checked it.
        return (_locked_by(shown),
                saved is None or _lock_identity(shown) == saved)

    def handle_lock(self, level):
        """Lock the remote stack.

        :raises LockedByOthers: if another user has locked it just before.
        """
        fields = {'level': level}
        if lock_record.lock_of(self.stack).reason:
            fields['reason'] = lock_record.lock_of(self.stack).reason
        try:
            _post_action(self, {'lock': fields})
        except (exc.HTTPConflict, exc.HTTPForbidden) as error:
            shown = _show(self)
            # A lock in progress can be of an earlier attempt of this request.
            if (shown.get(managers.LOCK_LEVEL) is None
                    or shown.get(managers.STATUS) == 'LOCK_IN_PROGRESS'):
                raise
            raise handler_api.LockedByOthers(_locked_by(shown)) from error

    def check_lock_complete(self, result):
        """Return whether the lock of the remote stack is complete."""
        shown = _show(self)
        if not _is_complete(shown, 'LOCK'):
            return False
        handler_api.save_lock_id(self, _lock_identity(shown))
        return True

    def handle_unlock(self):
        """Unlock the remote stack."""
        _post_action(self, {'unlock': None})

    def check_unlock_complete(self, result):
        """Return whether the remote stack is unlocked."""
        return _is_complete(_show(self), 'UNLOCK')


def _with_client(resource, function):
    with remote_stack.TempCACertFile(resource.cacert) as path:
        return function(resource.heat(path))


def _show(resource):
    return _with_client(resource, lambda heat: heat.stacks.get(
        resource.resource_id, resolve_outputs=False)).to_dict()


def _locked_by(shown):
    user = shown['locked_by'] or 'a user of another project'
    return (f'the remote stack is locked by {user}'
            + sanitize.after_colon(shown['lock_reason']))


def _lock_identity(shown):
    # A changed or replaced lock has another time.
    return f'{shown.get("locked_by")} {shown.get("locked_at")}'


def _post_action(resource, body):
    def post(heat):
        identity = heat.stacks.get(
            resource.resource_id, resolve_outputs=False).identifier
        heat.actions.client.post(f'/stacks/{identity}/actions', data=body)
    try:
        _with_client(resource, post)
    except exc.HTTPBadRequest as error:
        # heat.api.openstack.v1.actions without heat-extras answers this.
        raise _without_locks(
            f'the remote Heat answered: {error}') from error


def _without_locks(text):
    if cfg.CONF.heat_extras.remote_heat_without_locks == 'fail':
        return RuntimeError(text)
    return handler_api.NoLockAPI(text)


def _is_complete(shown, action):
    status = shown.get(managers.STATUS)
    if status == f'{action}_FAILED':
        raise RuntimeError(shown.get(managers.REASON))
    is_locked = shown.get(managers.LOCK_LEVEL) is not None
    return (status != f'{action}_IN_PROGRESS'
            and is_locked == (action == 'LOCK'))
