# SPDX-License-Identifier: Apache-2.0

"""What a signal to a resource of a locked stack comes to.

Agents in servers report through wait conditions and software deployments;
refusing those breaks them, and they change no topology. Every other signal
is accepted and has no effect: fail closed for types that nobody knows.
"""

from heat.common import exception
from oslo_log import log as logging

from heat_extras.heat_internals import agent_signals
from heat_extras import sanitize
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import words

LOG = logging.getLogger(__name__)


def is_ignored(resource):
    """Return whether a signal to a resource has no effect now."""
    return lock_record.of(resource.stack).ignores(_kind(resource))


def _kind(resource):
    return (operations.AGENT_SIGNAL if agent_signals.is_of_agent(resource)
            else operations.SIGNAL)


def signal(resource, original, details, need_check):
    """Do what Resource.signal does, if the signal has an effect.

    :param original: Heat's own, bound.
    """
    if agent_signals.clears_hook(details):
        return original(details, need_check)
    if is_ignored(resource):
        return _ignore(resource, lock_record.of(resource.stack))
    try:
        return original(details, need_check)
    except exception.ResourceFailure:
        lock = _lock_meanwhile(resource)
        if lock is None:
            raise
        return _ignore(resource, lock)


def _lock_meanwhile(resource):
    kind = _kind(resource)
    if kind == operations.AGENT_SIGNAL:
        # What the agent sent is wrong; it must hear of it.
        return None
    # A scaling group asks for its new size in a thread, after the answer: a
    # lock may have come in between, and refused that.
    _, lock = lock_transaction.read_lock(resource.context, resource.stack.id)
    return lock if lock.ignores(kind) else None


def _ignore(resource, lock):
    stack = resource.stack
    first = ignored_signals.count_ignored(resource.context, stack.id,
                                          resource.id,
                                          resource.name)
    LOG.info(
        'Signal to %(resource)s of stack %(stack)s (%(id)s) ignored: '
        'the stack is locked',
        {'resource': sanitize.printable(resource.name), 'stack': stack.name,
         'id': stack.id})
    if first:
        resource._add_event('SIGNAL', resource.status, words.signal_ignored(
            lock.level, lock.reason))
    return False
