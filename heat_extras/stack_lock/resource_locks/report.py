# SPDX-License-Identifier: Apache-2.0

"""What services answered about the resources of a tree: (state, reason)."""

import dataclasses

from heat_extras import internal_error
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock.resource_locks import thread_pool
from heat_extras.stack_lock import words as lock_words

# What an unlock finds, besides the resources that it releases.
LIFTED = 'was lifted by somebody else meanwhile'
TAKEN = 'is protected by somebody else by now'


@dataclasses.dataclass
class Report:
    """The resources that were asked about.

    :param results: a dict from resource to (state, reason).
    :param stacks: those of the resources, which hold them by weak
        references only (heat.engine.resource.Resource.stack).
    """

    results: dict
    stacks: list

    def failed(self):
        """List ``name: reason`` of the resources that failed."""
        return [f'{resource.name} of stack {resource.stack.name}: {reason}'
                for resource, (state, reason) in self.results.items()
                if states.shown(state) == states.FAILED]

    def failure(self, verb):
        """Return why not all of it was done, or None when it was.

        :param verb: ``protected`` or ``released``.
        """
        failed = self.failed()
        return lock_words.failed(len(failed), len(self.results), verb,
                                 failed) if failed else None

    def note(self):
        """Return which resources an unlock did not find as it left them."""
        lifted = [resource.name
                  for resource, (state, reason) in self.results.items()
                  if state is None and reason in (LIFTED, TAKEN)]
        return lock_words.lifted_by_others(lifted) if lifted else None


def judge_find(resource, found, is_known, is_stored=False):
    """Judge what was found at a resource.

    :param found: what ``find_lock`` has returned, or its error.
    :param is_known: whether the table has it as ours.
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


def judge_lock(resource, answer):
    """Judge what became of an attempt to protect a resource.

    :param answer: None, or the error that it ended in.
    """
    if not isinstance(answer, Exception):
        return (states.PROTECTED, None)
    if isinstance(answer, handler_api.LockedByOthers):
        return (states.FOUND, str(answer))
    return _of_error(resource, answer)


def judge_unlock(resource, answer, is_stored=False):
    """Judge what became of an attempt to release a resource.

    :param answer: None, a note, or the error that it ended in.
    :param is_stored: as that of :func:`judge_find`.
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

    :param is_stored: as that of :func:`judge_find`.
    """
    text = internal_error.message_of(error, 'the request to its service')
    # The errors of heatclient begin so.
    text = text.removeprefix('ERROR: ')
    if thread_pool.code_of(error) not in (401, 403):
        return text
    who = ('the credentials that Heat keeps for the stack lack (its user, '
           'role or trust may be gone)' if is_stored else 'you lack')
    return f'needs rights that {who}: {text}'


def _of_error(resource, error, is_stored=False):
    if isinstance(error, handler_api.NoLockAPI):
        return (states.NO_API, internal_error.message_of(
            error, 'the check for its lock'))
    if is_gone(resource, error):
        return (states.NO_API, 'the physical resource is gone')
    # Without a refusal of the service, it may have done it all the same, or
    # be about to.
    return (states.FAILED if thread_pool.is_refusal(error) else states.LOCKING,
            explain(error, is_stored))
