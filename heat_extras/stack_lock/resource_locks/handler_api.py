# SPDX-License-Identifier: Apache-2.0

"""What a resource plugin can say to the lock, besides doing its work.

A resource takes part in locks of level ``all`` when its class has

``handle_lock(level)``
    ask the service to protect the physical resource; what it returns is
    handed to ``check_lock_complete(result)``, if there is one, until that
    returns true;
``handle_unlock()``
    lift what handle_lock did; likewise with ``check_unlock_complete``;
``find_lock()``
    optional: return None when nothing protects the resource, else a text that
    says who or what protects it, and whether that is what handle_lock set and
    not a lock of somebody else. Without it, nothing is ever found protected.

A physical resource that is gone is no failure: the client plugin of the
resource's service recognizes that error.
"""

from heat_extras.stack_lock import lock_record

_KEY = 'heat_extras_lock'
_AND = ': '


class NoLockAPI(Exception):
    """The service, or this version of it, has no lock for the resource."""


class LockedByOthers(Exception):
    """Somebody else locked the resource between our look and our lock."""


def remember(resource, token):
    """Keep what identifies our lock until it is released.

    :param token: a text, like the id of the lock.
    """
    resource.data_set(_KEY, token)


def recall(resource):
    """Return what was remembered, or None."""
    return resource.data().get(_KEY)


def forget(resource):
    """Drop what was remembered, if anything was."""
    resource.data_delete(_KEY)


def text(resource, length):
    """Word the reason that the service shows to whom our lock stops.

    :param length: how many characters the service takes.
    """
    reason = lock_record.of(resource.stack).reason
    return (_prefix(resource) + (f'{_AND}{reason}' if reason else ''))[:length]


def is_text(resource, found, length):
    """Return whether a reason is one of ours for this stack.

    To lock again with another reason leaves that of the first lock.
    """
    prefix = _prefix(resource)
    return found is not None and (
        found == prefix[:length]
        or found.startswith((prefix + _AND)[:length]))


def _prefix(resource):
    return f'locked with Heat stack {resource.stack.name}'
