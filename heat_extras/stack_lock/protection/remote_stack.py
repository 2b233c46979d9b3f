# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Remote stacks: the lock action of the other Heat, level ``all``."""

from heat.engine.resources.openstack.heat import remote_stack
from heatclient import exc

from heat_extras import patching
from heat_extras.stack_lock import lock as locks
from heat_extras.stack_lock.protection import plugin

_WHY = 'Heat has no action LOCK, and its resources no handler for it'


class RemoteStackLockMixin:
    """Extends Heat's class of remote stacks."""

    TARGETS = (
        'heat.engine.resources.openstack.heat.remote_stack:RemoteStack',)

    @patching.add(why=_WHY)
    def find_lock(self):
        """Say by whom the remote stack is locked.

        :raises NoLockAPI: when the other Heat knows no locks.
        """
        stack = _call(self, lambda heat: heat.stacks.get(self.resource_id))
        told = stack.to_dict()
        if 'lock_level' not in told:
            raise plugin.NoLockAPI('the remote Heat knows no stack locks')
        if told['lock_level'] is None:
            return None
        return f'the remote stack is locked by {told["locked_by"]}'

    @patching.add(why=_WHY)
    def handle_lock(self, level):
        """Lock the remote stack."""
        fields = {'level': level}
        if locks.of(self.stack).reason:
            fields['reason'] = locks.of(self.stack).reason
        _act(self, {'lock': fields})

    @patching.add(why=_WHY)
    def check_lock_complete(self, result):
        """Say whether the remote stack is locked whole."""
        return _is_complete(self, 'LOCK')

    @patching.add(why=_WHY)
    def handle_unlock(self):
        """Unlock the remote stack."""
        _act(self, {'unlock': None})

    @patching.add(why=_WHY)
    def check_unlock_complete(self, result):
        """Say whether the remote stack is free."""
        return _is_complete(self, 'UNLOCK')


def _call(resource, function):
    with remote_stack.TempCACertFile(resource.cacert) as path:
        return function(resource.heat(path))


def _act(resource, body):
    def post(heat):
        identity = heat.stacks.get(resource.resource_id).identifier
        heat.actions.client.post(f'/stacks/{identity}/actions', data=body)
    try:
        _call(resource, post)
    except exc.HTTPBadRequest as error:
        raise plugin.NoLockAPI(f'the remote Heat answered: {error}') from error


def _is_complete(resource, action):
    stack = _call(resource,
                  lambda heat: heat.stacks.get(resource.resource_id))
    if stack.stack_status == f'{action}_FAILED':
        raise RuntimeError(stack.stack_status_reason)
    is_locked = stack.to_dict().get('lock_level') is not None
    return (stack.stack_status != f'{action}_IN_PROGRESS'
            and is_locked == (action == 'LOCK'))
