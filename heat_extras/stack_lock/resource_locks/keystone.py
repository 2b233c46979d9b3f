# SPDX-License-Identifier: Apache-2.0

"""Keystone: the option ``immutable`` of projects, roles and domains.

The request that removes it must not have other changes. If the caller may not
update the entity, Keystone answers 403, and the resource is reported as
failed.
"""

from heat_extras.stack_lock.resource_locks import handler_api

_OPTION = 'immutable'
_WAS_FALSE = 'false'


class KeystoneLockMixin:
    """Extends Heat's classes of projects, roles and domains."""

    TARGETS = (
        'heat.engine.resources.openstack.keystone.project:KeystoneProject',
        'heat.engine.resources.openstack.keystone.role:KeystoneRole',
        'heat.engine.resources.openstack.keystone.domain:KeystoneDomain')

    def find_lock(self):
        """Return whether the entity is immutable."""
        is_immutable = _options(self).get(_OPTION)
        return ('it is immutable', True) if is_immutable else None

    def handle_lock(self, level):
        """Make the entity immutable."""
        # Keystone distinguishes None and False. Unlock restores the value.
        if _options(self).get(_OPTION) is False:
            handler_api.save_lock_id(self, _WAS_FALSE)
        _set_immutable(self, True)

    def handle_unlock(self):
        """Make the entity mutable again."""
        was_false = handler_api.load_lock_id(self) == _WAS_FALSE
        _set_immutable(self, False if was_false else None)


def _manager(resource):
    return getattr(resource.client(), resource.entity)


def _options(resource):
    entity = _manager(resource).get(resource.resource_id)
    return getattr(entity, 'options', None) or {}


def _set_immutable(resource, value):
    _manager(resource).update(resource.resource_id, options={_OPTION: value})
