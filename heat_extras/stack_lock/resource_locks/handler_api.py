# SPDX-License-Identifier: Apache-2.0

"""The interface between locks of level ``all`` and resource plugins.

A resource takes part in locks of level ``all`` when its class has

``handle_lock(level)``
    call the service to protect the physical resource. The result is passed
    to ``check_lock_complete(result)``, if there is one, until that returns
    true;
``handle_unlock()``
    undo handle_lock; likewise with ``check_unlock_complete``;
``find_lock()``
    optional: return None when nothing protects the resource, else a text that
    says who or what protects it, and whether handle_lock has set that and not
    another user. Without it, the resource is never found protected.

A physical resource that is gone is no failure: the client plugin of the
resource's service recognizes that error.
"""

from heat_extras.stack_lock import lock_record

_KEY = 'heat_extras_lock'
_AND = ': '


class NoLockAPI(Exception):
    """The service, or this version of it, has no lock for the resource."""


class LockedByOthers(Exception):
    """Another user locked the resource between find_lock and handle_lock."""


def save_lock_id(resource, token):
    """Save what identifies the lock in its service, until it is released.

    :param token: a text, like the id of the lock.
    """
    resource.data_set(_KEY, token)


def load_lock_id(resource):
    """Return what was saved, or None."""
    return resource.data().get(_KEY)


def delete_lock_id(resource):
    """Delete what was saved, if anything was."""
    resource.data_delete(_KEY)


def reason_text(resource, length):
    """Return the reason that the service shows for the lock.

    :param length: how many characters the service accepts.
    """
    reason = lock_record.of(resource.stack).reason
    return (_prefix(resource) + (f'{_AND}{reason}' if reason else ''))[:length]


def is_own_reason(resource, found, length):
    """Return whether a lock of this stack has set a reason.

    If the stack is locked again with another reason, the service keeps the
    reason of the first lock.
    """
    prefix = _prefix(resource)
    return found is not None and (
        found == prefix[:length]
        or found.startswith((prefix + _AND)[:length]))


def _prefix(resource):
    return f'locked with Heat stack {resource.stack.name}'
