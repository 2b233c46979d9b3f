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

"""Nova: ``lock`` and ``unlock`` of servers.

Nova accepts a second lock of the owner in silence, so what is locked is
looked up first (``locked``, from microversion 2.9). It refuses stop, delete,
resize and the like to non-admins then; not snapshots, renames or admins.
"""

from heat_extras import patching
from heat_extras.stack_lock import lock as locks
from heat_extras.stack_lock.protection import plugin

_SHOWS_LOCKED, _TAKES_REASON = '2.9', '2.73'
_REASON_LENGTH = 255

_WHY = 'Heat has no action LOCK, and its resources no handler for it'


class ServerLockMixin:
    """Extends Heat's server classes."""

    TARGETS = (
        'heat.engine.resources.openstack.nova.server:Server',
        'heat.engine.resources.aws.ec2.instance:Instance')

    @patching.add(why=_WHY)
    def find_lock(self):
        """Say who has locked the server, where Nova tells.

        :raises NoLockAPI: when this Nova does not show locks.
        """
        if not self.client_plugin().is_version_supported(_SHOWS_LOCKED):
            raise plugin.NoLockAPI(
                f'this Nova does not show locks before {_SHOWS_LOCKED}')
        server = _client(self).servers.get(self.resource_id)
        if not server.locked:
            return None
        reason = getattr(server, 'locked_reason', None)
        return 'the server is locked' + (f': {reason}' if reason else '')

    @patching.add(why=_WHY)
    def handle_lock(self, level):
        """Lock the server, with our reason where Nova takes one."""
        servers = _client(self).servers
        if _takes_reason(self):
            servers.lock(self.resource_id, reason=_reason(self))
        else:
            servers.lock(self.resource_id)

    @patching.add(why=_WHY)
    def handle_unlock(self):
        """Unlock the server."""
        _client(self).servers.unlock(self.resource_id)


def _takes_reason(resource):
    return resource.client_plugin().is_version_supported(_TAKES_REASON)


def _client(resource):
    return resource.client(version=_TAKES_REASON if _takes_reason(resource)
                           else _SHOWS_LOCKED)


def _reason(resource):
    reason = locks.of(resource.stack).reason
    text = f'locked with Heat stack {resource.stack.name}' + (
        f': {reason}' if reason else '')
    return text[:_REASON_LENGTH]
