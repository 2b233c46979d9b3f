# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resource`: signals to a locked stack.

Agents in servers report through wait conditions and software deployments;
refusing those breaks them, and they change no topology. Every other signal
is accepted and has no effect: fail closed for types that nobody knows.
"""

from heat.common import exception
from heat.engine.resources.openstack.heat import software_deployment
from heat.engine.resources import wait_condition
from oslo_log import log as logging

from heat_extras import patching
from heat_extras.stack_lock import ledger
from heat_extras.stack_lock import locks
from heat_extras.stack_lock import refusal
from heat_extras.stack_lock import signals
from heat_extras.stack_lock import words

LOG = logging.getLogger(__name__)

_PASSING = (wait_condition.BaseWaitConditionHandle,
            software_deployment.SoftwareDeployment)


def _ignores_signals(resource):
    return (locks.of(resource.stack).is_locked
            and not isinstance(resource, _PASSING))


def _clears_hook(details):
    return bool(details) and 'unset_hook' in details


@patching.extends('heat.engine.resource:Resource')
class StackLockResourceMixin:
    """Extends heat.engine.resource:Resource."""

    @patching.wrap('(self, details)',
                   why='the one check of hooks that runs while the caller '
                       'still waits for an answer')
    def _signal_check_hook(self, original, details):
        lock = locks.of(self.stack)
        if lock.is_locked and _clears_hook(details):
            refusal.refuse(self.context, self.stack.name, self.stack.id,
                           lock, 'hook clearing')
        return original(details)

    @patching.wrap('(self)', why='a signal that a lock ignores is answered '
                                 'with 200 in every state of the resource')
    def _signal_check_action(self, original):
        if not _ignores_signals(self):
            return original()

    @patching.wrap('(self, details=None, need_check=True)',
                   why='the one way of every signal to handle_signal')
    def signal(self, original, details=None, need_check=True):
        if _clears_hook(details):
            return original(details, need_check)
        if _ignores_signals(self):
            _ignore(self, locks.of(self.stack))
            return False
        try:
            return original(details, need_check)
        except exception.ResourceFailure:
            if isinstance(self, _PASSING):
                # What the agent sent is wrong; it must hear of it.
                raise
            # A scaling group asks for its new size in a thread, after the
            # answer: a lock may have come in between, and refused that.
            _, lock = ledger.read_lock(self.context, self.stack.id)
            if not lock.is_locked:
                raise
            _ignore(self, lock)
            return False


def _ignore(resource, lock):
    stack = resource.stack
    first = signals.count_ignored(resource.context, stack.id, resource.id,
                                  resource.name)
    LOG.info('Signal to %(resource)s of stack %(stack)s (%(id)s) ignored: '
             'the stack is locked',
             {'resource': resource.name, 'stack': stack.name,
              'id': stack.id})
    if first:
        resource._add_event('SIGNAL', resource.status, words.signal_ignored(
            lock.level, lock.reason))
