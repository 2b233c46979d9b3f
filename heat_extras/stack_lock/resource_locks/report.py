# SPDX-License-Identifier: Apache-2.0

"""States and reasons of resources from the answers of services."""

import dataclasses

from heat_extras.heat_internals import rpc_errors
from heat_extras import sanitize
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import thread_pool

# Resources that an unlock does not release.
RELEASED_BY_OTHER = 'was released by another user in the meantime'
PROTECTED_BY_OTHER = 'is now protected by another user'

# The maximum number of resources that a status reason lists.
_NAMED = 3


@dataclasses.dataclass
class Report:
    """The resources whose services were called.

    :param results: a dict from resource to (state, reason).
    :param stacks: the stacks of the resources, which have only weak references
        to them (heat.engine.resource.Resource.stack).
    """

    results: dict
    stacks: list

    def list_failures(self):
        """List the resources that failed, with their reasons."""
        return [f'{resource.name} of stack {resource.stack.name}: {reason}'
                for resource, (state, reason) in self.results.items()
                if resource_states.shown(state) == resource_states.FAILED]

    def failure(self, verb):
        """Return a sentence about the resources that failed, or None.

        :param verb: ``protected`` or ``released``.
        """
        failures = self.list_failures()
        if not failures:
            return None
        return (f'{len(failures)} of '
                f'{sanitize.with_plural(len(self.results), "resource")} could '
                f'not be {verb}: '
                + sanitize.join_some(failures, most=_NAMED))

    def note(self):
        """Return sentences about changes of other users, or None."""
        released = self._names_with(RELEASED_BY_OTHER)
        protected = self._names_with(PROTECTED_BY_OTHER)
        return '. '.join(filter(None, (
            released and f'{sanitize.with_plural(len(released), "resource")} '
            'had been unlocked by another user or program: '
            + sanitize.join_some(released, ', ', most=_NAMED),
            protected and 'Not released, because of a lock of another user or '
            f'program: {sanitize.join_some(protected, ", ", most=_NAMED)}'))
        ) or None

    def _names_with(self, note):
        return [resource.name
                for resource, (state, reason) in self.results.items()
                if state is None and reason == note]


def state_from_lock(resource, service_lock, is_known, is_stored=False):
    """Return the state of a resource, and the reason, from its lock.

    :param service_lock: the return value of ``find_lock``, or its error.
    :param is_known: whether the table has a row of this lock for it.
    :param is_stored: whether its service was called with the credentials that
        Heat stores, and not with the credentials of a user.
    :returns: (state, reason), or None if it is not locked.
    """
    if service_lock is None:
        return None
    if isinstance(service_lock, Exception):
        state, reason = _state_after_error(resource, service_lock, is_stored)
        # It might still be protected, so unlock has to check it again.
        is_kept = is_known and state == resource_states.FAILED
        return (resource_states.LOCKING if is_kept else state, reason)
    text, is_own = service_lock
    return ((resource_states.PROTECTED, None) if is_known and is_own
            else (resource_states.FOUND, text))


def state_after_lock(resource, answer):
    """Return the state of a resource, and the reason, after a lock.

    :param answer: None, or the error of the handler.
    """
    if not isinstance(answer, Exception):
        return (resource_states.PROTECTED, None)
    if isinstance(answer, handler_api.LockedByOthers):
        return (resource_states.FOUND, str(answer))
    return _state_after_error(resource, answer)


def state_after_unlock(resource, answer, is_stored=False):
    """Return the state of a resource, and the reason, after an unlock.

    :param answer: None, a note, or the error of the handler.
    :param is_stored: see :func:`state_from_lock`.
    :returns: FAILED and a reason, or None and a note.
    """
    if not isinstance(answer, Exception):
        return (None, answer)
    if is_gone(resource, answer):
        return (None, None)
    return (resource_states.FAILED, error_text(answer, is_stored))


def is_gone(resource, error):
    """Return whether an error means that the physical resource is deleted."""
    return resource._default_client_plugin().is_not_found(error)


def error_text(error, is_stored=False):
    """Return an error as one line for users.

    :param is_stored: see :func:`state_from_lock`.
    """
    text = rpc_errors.message_of(error, 'the request to its service')
    # The errors of heatclient start with this.
    text = text.removeprefix('ERROR: ')
    if thread_pool.http_status(error) not in (401, 403):
        return text
    denied = ('the credentials that Heat stores for the stack are not '
              'sufficient (its user, role or trust might be deleted)'
              if is_stored else 'you do not have the required rights')
    return f'{denied}: {text}'


def _state_after_error(resource, error, is_stored=False):
    if isinstance(error, handler_api.NoLockAPI):
        return (resource_states.NO_API, rpc_errors.message_of(
            error, 'the check for its lock'))
    if is_gone(resource, error):
        return (resource_states.NO_API, 'the physical resource is deleted')
    # Unless the service has rejected the request, it might have locked the
    # resource, or might still lock it.
    return (resource_states.FAILED if thread_pool.is_refusal(error)
            else resource_states.LOCKING, error_text(error, is_stored))
