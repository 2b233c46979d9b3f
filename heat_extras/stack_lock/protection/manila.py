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

"""Manila: resource locks of shares, API 2.81 and later.

A share can have several locks. Ours is told by its id, which is kept as
resource data, and only that one is removed.
"""

from manilaclient import api_versions
from manilaclient import client as manila_client

from heat_extras import patching
from heat_extras.stack_lock import lock as locks
from heat_extras.stack_lock.protection import plugin

_WHY = 'Heat has no action LOCK, and its resources no handler for it'
_VERSION = '2.81'
_LOCK_ID = 'heat_extras_lock_id'
_REASON_LENGTH = 1023


class ShareLockMixin:
    """Extends Heat's share class."""

    TARGETS = ('heat.engine.resources.openstack.manila.share:ManilaShare',)

    @patching.add(why=_WHY)
    def find_lock(self):
        """Say which lock holds the share against deletion.

        :raises NoLockAPI: when this Manila has no resource locks.
        """
        found = _client(self).resource_locks.list(
            search_opts={'resource_id': self.resource_id,
                         'resource_type': 'share',
                         'resource_action': 'delete'})
        if not found:
            return None
        return f'the share has the lock {found[0].id}'

    @patching.add(why=_WHY)
    def handle_lock(self, level):
        """Add a lock to the share."""
        reason = locks.of(self.stack).reason
        created = _client(self).resource_locks.create(
            self.resource_id, 'share', resource_action='delete',
            lock_reason=(f'locked with Heat stack {self.stack.name}'
                         + (f': {reason}' if reason else ''))[:_REASON_LENGTH])
        self.data_set(_LOCK_ID, created.id)

    @patching.add(why=_WHY)
    def handle_unlock(self):
        """Remove our lock, and none of another."""
        lock_id = self.data().get(_LOCK_ID)
        if lock_id is not None:
            _client(self).resource_locks.delete(lock_id)
            self.data_delete(_LOCK_ID)


def _client(resource):
    # Heat's plugin asks for an older version of the API.
    context = resource.context
    client = manila_client.Client(
        _VERSION, session=context.keystone_session,
        service_type='sharev2',
        region_name=resource.client_plugin()._get_region_name())
    highest = api_versions.APIVersion(
        client.services.server_api_version()[-1].version)
    if highest < api_versions.APIVersion(_VERSION):
        raise plugin.NoLockAPI(
            'this Manila has no resource locks: found API '
            f'{highest.get_string()}, wanted {_VERSION}')
    return client
