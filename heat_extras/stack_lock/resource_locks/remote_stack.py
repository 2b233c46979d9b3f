# SPDX-License-Identifier: Apache-2.0

"""Remote stacks: the lock action of the other Heat, level ``all``."""

from heat.engine.resources.openstack.heat import remote_stack
from heatclient import exc
from oslo_config import cfg

from heat_extras.client import managers
from heat_extras import monkey_patch
from heat_extras import sanitize
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import handler_api

_WHY = 'Heat has no action LOCK, and its resources no handler for it'


class RemoteStackLockMixin:
    """Extends Heat's class of remote stacks."""

    TARGETS = (
        'heat.engine.resources.openstack.heat.remote_stack:RemoteStack',)

    @monkey_patch.add(why=_WHY)
    def find_lock(self):
        """Say who has locked the remote stack, and whether this stack has.

        :raises NoLockAPI: when the other Heat has no locks.
        """
        shown = _shown(self)
        if managers.WITNESS not in shown:
            raise _without_locks('the remote Heat has no stack locks')
        if shown[managers.WITNESS] is None:
            return None
        known = handler_api.load_lock_id(self)
        # Not known if an engine stopped before it could save it. The stack
        # was not locked when that engine checked it.
        return _locked_by(shown), known is None or _token(shown) == known

    @monkey_patch.add(why=_WHY)
    def handle_lock(self, level):
        """Lock the remote stack.

        :raises LockedByOthers: when another user has locked it just before.
        """
        fields = {'level': level}
        if lock_record.of(self.stack).reason:
            fields['reason'] = lock_record.of(self.stack).reason
        try:
            _act(self, {'lock': fields})
        except (exc.HTTPConflict, exc.HTTPForbidden) as error:
            shown = _shown(self)
            # A lock that is in progress can be of a request that was repeated.
            if (shown.get(managers.WITNESS) is None
                    or shown.get(managers.STATUS) == 'LOCK_IN_PROGRESS'):
                raise
            raise handler_api.LockedByOthers(_locked_by(shown)) from error

    @monkey_patch.add(why=_WHY)
    def check_lock_complete(self, result):
        """Return whether the lock of the remote stack is complete."""
        shown = _shown(self)
        if not _is_complete(shown, 'LOCK'):
            return False
        handler_api.save_lock_id(self, _token(shown))
        return True

    @monkey_patch.add(why=_WHY)
    def handle_unlock(self):
        """Unlock the remote stack."""
        _act(self, {'unlock': None})

    @monkey_patch.add(why=_WHY)
    def check_unlock_complete(self, result):
        """Return whether the remote stack is unlocked."""
        return _is_complete(_shown(self), 'UNLOCK')


def _call(resource, function):
    with remote_stack.TempCACertFile(resource.cacert) as path:
        return function(resource.heat(path))


def _shown(resource):
    return _call(resource, lambda heat: heat.stacks.get(
        resource.resource_id, resolve_outputs=False)).to_dict()


def _locked_by(shown):
    who = shown['locked_by'] or 'a user of another project'
    return (f'the remote stack is locked by {who}'
            + sanitize.because(shown['lock_reason']))


def _token(shown):
    # A lock that was changed or replaced has another time.
    return f'{shown.get("locked_by")} {shown.get("locked_at")}'


def _act(resource, body):
    def post(heat):
        identity = heat.stacks.get(
            resource.resource_id, resolve_outputs=False).identifier
        heat.actions.client.post(f'/stacks/{identity}/actions', data=body)
    try:
        _call(resource, post)
    except exc.HTTPBadRequest as error:
        # heat.api.openstack.v1.actions without the extension.
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
    is_locked = shown.get(managers.WITNESS) is not None
    return (status != f'{action}_IN_PROGRESS'
            and is_locked == (action == 'LOCK'))
