# SPDX-License-Identifier: Apache-2.0

"""The interface between locks of level ``all`` and resource plugins.

A lock of level ``all`` protects a resource if its class has these methods:

``handle_lock(level)``
    Call the service to protect the physical resource. The result is passed
    to ``check_lock_complete(result)``, if this method exists, until it returns
    true.
``handle_unlock()``
    Undo handle_lock. ``check_unlock_complete(result)`` is called in the same
    way.
``find_lock()``
    Optional. Return None if the resource is not protected. Otherwise return a
    text about the protection, and whether handle_lock has set it and not
    another user. Without this method, the resource is never considered as
    protected before the lock.

A deleted physical resource is not a failure. The client plugin of the
resource's service recognizes this error.
"""

from heat_extras.stack_lock import lock_record

_KEY = 'heat_extras_lock'
_AND = ': '


class NoLockAPI(Exception):
    """The service, or this version of it, has no lock for the resource."""


class LockedByOthers(Exception):
    """Another user locked the resource between find_lock and handle_lock."""


def save_lock_id(resource, token):
    """Save the identity of the lock in its service, until it is released.

    :param token: a text, like the ID of the lock.
    """
    resource.data_set(_KEY, token)


def load_lock_id(resource):
    """Return the saved identity of the lock, or None."""
    return resource.data().get(_KEY)


def delete_lock_id(resource):
    """Delete the saved identity of the lock, if there is one."""
    resource.data_delete(_KEY)


def reason_text(resource, length):
    """Return the reason for the lock in the service.

    :param length: the maximum number of characters.
    """
    reason = lock_record.lock_of(resource.stack).reason
    return (_prefix(resource) + (f'{_AND}{reason}' if reason else ''))[:length]


def is_own_reason(resource, reason, length):
    """Return whether a lock of this stack has set a reason.

    If the stack is locked again with another reason, the service keeps the
    reason of the first lock.
    """
    prefix = _prefix(resource)
    return reason is not None and (
        reason == prefix[:length]
        or reason.startswith((prefix + _AND)[:length]))


def _prefix(resource):
    return f'locked with Heat stack {resource.stack.name}'
