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
        """Say by whom the remote stack is locked, and if it is by us.

        :raises NoLockAPI: when the other Heat knows no locks.
        """
        told = _shown(self)
        if managers.WITNESS not in told:
            raise _without_locks('the remote Heat knows no stack locks')
        if told[managers.WITNESS] is None:
            return None
        known = handler_api.recall(self)
        # Not known: an engine died before it could note it. It was free when
        # that engine looked.
        return _locked_by(told), known is None or _token(told) == known

    @monkey_patch.add(why=_WHY)
    def handle_lock(self, level):
        """Lock the remote stack.

        :raises LockedByOthers: when somebody was faster.
        """
        fields = {'level': level}
        if lock_record.of(self.stack).reason:
            fields['reason'] = lock_record.of(self.stack).reason
        try:
            _act(self, {'lock': fields})
        except (exc.HTTPConflict, exc.HTTPForbidden) as error:
            told = _shown(self)
            # A lock that is in progress can be of a request that was repeated.
            if (told.get(managers.WITNESS) is None
                    or told.get(managers.STATUS) == 'LOCK_IN_PROGRESS'):
                raise
            raise handler_api.LockedByOthers(_locked_by(told)) from error

    @monkey_patch.add(why=_WHY)
    def check_lock_complete(self, result):
        """Return whether the remote stack is locked whole."""
        told = _shown(self)
        if not _is_complete(told, 'LOCK'):
            return False
        handler_api.remember(self, _token(told))
        return True

    @monkey_patch.add(why=_WHY)
    def handle_unlock(self):
        """Unlock the remote stack."""
        _act(self, {'unlock': None})

    @monkey_patch.add(why=_WHY)
    def check_unlock_complete(self, result):
        """Return whether the remote stack is free."""
        return _is_complete(_shown(self), 'UNLOCK')


def _call(resource, function):
    with remote_stack.TempCACertFile(resource.cacert) as path:
        return function(resource.heat(path))


def _shown(resource):
    return _call(resource, lambda heat: heat.stacks.get(
        resource.resource_id, resolve_outputs=False)).to_dict()


def _locked_by(told):
    who = told['locked_by'] or 'a user of another project'
    return (f'the remote stack is locked by {who}'
            + sanitize.because(told['lock_reason']))


def _token(told):
    # A lock that is changed or set anew has another time.
    return f'{told.get("locked_by")} {told.get("locked_at")}'


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


def _is_complete(told, action):
    status = told.get(managers.STATUS)
    if status == f'{action}_FAILED':
        raise RuntimeError(told.get(managers.REASON))
    is_locked = told.get(managers.WITNESS) is not None
    return (status != f'{action}_IN_PROGRESS'
            and is_locked == (action == 'LOCK'))
