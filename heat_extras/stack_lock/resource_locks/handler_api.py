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
    optional: return None when nothing protects the resource, else a text
    that says who or what does, or a :class:`Found`. Without it, nothing is
    ever found protected;
``is_own_lock()``
    optional: say whether what find_lock found is what handle_lock set, and
    not somebody else's that came later. Asked after a text only; without it,
    it is.

A physical resource that is gone is no failure: the client plugin of the
resource's service recognizes that error.
"""

import dataclasses

from oslo_db import exception as db_exception

from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import messages

_KEY = 'heat_extras_lock'
_UNSTORED = 'heat_extras_unstored_lock'
_AND = ': '


class NoLockAPI(Exception):
    """The service, or this version of it, has no lock for the resource."""


class LockedByOthers(Exception):
    """Somebody else locked the resource between our look and our lock."""


@dataclasses.dataclass(frozen=True)
class Found:
    """What one look has found, so that its service is not asked twice.

    :param text: says who or what protects the resource.
    :param is_own: whether it is what handle_lock set.
    """

    text: str
    is_own: bool


def remember(resource, token):
    """Keep what tells our lock from others, until it is lifted.

    :param token: a text, like the id of the lock.
    """
    try:
        resource.data_set(_KEY, token)
    except db_exception.DBReferenceError:
        # Heat has the resource no more: it was deleted while its service was
        # asked. Who asked is to tell our lock all the same, to lift it.
        setattr(resource, _UNSTORED, token)


def recall(resource):
    """Return what was remembered, or None."""
    return getattr(resource, _UNSTORED, None) or resource.data().get(_KEY)


def forget(resource):
    """Drop what was remembered, if anything was."""
    if recall(resource) is not None:
        resource.data_delete(_KEY)
        setattr(resource, _UNSTORED, None)


def text(resource, length):
    """Word the reason that the service shows to whom our lock stops.

    :param length: how many characters the service takes.
    """
    reason = lock_record.of(resource.stack).reason
    return (messages.reason_for(resource.stack.name)
            + (f'{_AND}{reason}' if reason else ''))[:length]


def is_text(resource, found, length):
    """Return whether a reason is one of ours for this stack.

    To lock again with another reason leaves that of the first lock.
    """
    wanted = messages.reason_for(resource.stack.name)[:length]
    return found is not None and (
        found == wanted or found.startswith((wanted + _AND)[:length]))
