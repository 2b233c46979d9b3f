# SPDX-License-Identifier: Apache-2.0

"""What the answer of a service means for the ledger: (state, reason)."""

from heat_extras import internal_error
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock.resource_locks import thread_pool
from heat_extras.stack_lock.resource_locks import words


def of_look(resource, found, is_known, is_stored=False):
    """Judge a look at a resource.

    :param found: None (free), (text, whether it is our own), or an error.
    :param is_known: whether the ledger has it as ours.
    :param is_stored: whether its service was asked with the credentials that
        Heat keeps, and not with those of a user.
    :returns: (state, reason), or None when it is free.
    """
    if found is None:
        return None
    if isinstance(found, Exception):
        state, reason = _of_error(resource, found, is_stored)
        # Ours, as far as is known: unlock has to look again.
        is_kept = is_known and state == states.FAILED
        return (states.LOCKING if is_kept else state, reason)
    text, is_own = found
    return ((states.PROTECTED, None) if is_known and is_own
            else (states.FOUND, text))


def of_lock(resource, answer):
    """Judge what became of an attempt to protect a resource.

    :param answer: None, or the error that it ended in.
    """
    if not isinstance(answer, Exception):
        return (states.PROTECTED, None)
    if isinstance(answer, handler_api.LockedByOthers):
        return (states.FOUND, str(answer))
    return _of_error(resource, answer)


def of_unlock(resource, answer, is_stored=False):
    """Judge what became of an attempt to release a resource.

    :param answer: None, a note, or the error that it ended in.
    :param is_stored: as that of :func:`of_look`.
    :returns: FAILED and why, or None and a note.
    """
    if not isinstance(answer, Exception):
        return (None, answer)
    if is_gone(resource, answer):
        return (None, None)
    return (states.FAILED, explain(answer, is_stored))


def is_gone(resource, error):
    """Return whether *error* means that there is no such thing any more."""
    return resource._default_client_plugin().is_not_found(error)


def explain(error, is_stored=False):
    """Word an error in one line, for the person who wanted the lock.

    :param is_stored: as that of :func:`of_look`.
    """
    text = internal_error.message_of(error, words.REQUEST)
    if thread_pool.code_of(error) in (401, 403):
        return words.no_rights(text, is_stored)
    return text


def _of_error(resource, error, is_stored=False):
    if isinstance(error, handler_api.NoLockAPI):
        return (states.NO_API, internal_error.message_of(error, words.LOOK))
    if is_gone(resource, error):
        return (states.NO_API, words.GONE)
    # Without a refusal of the service, it may have done it all the same, or
    # be about to.
    return (states.FAILED if thread_pool.is_refusal(error) else states.LOCKING,
            explain(error, is_stored))
