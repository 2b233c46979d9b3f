# SPDX-License-Identifier: Apache-2.0

"""Lift the locks whose end has come.

An engine looks for them at each report. It takes one in the register, which
says by that when it is due again if this one dies or fails, and lifts it like
any unlock, but that nobody is there who asks for it: services are asked with
the credentials that Heat keeps for the stack, and what plugins deny is noted.
"""

import functools

from heat.common import context as heat_context
from heat.common import exception
from heat.objects import stack as stack_object
from oslo_log import log as logging

from heat_extras.heat_internals import lock_callbacks
from heat_extras.stack_lock import consent
from heat_extras.stack_lock.expiry import schedule
from heat_extras.stack_lock.expiry import words
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import states
from heat_extras.stack_lock import worker

LOG = logging.getLogger(__name__)

# How many locks an engine lifts at the same time.
_AT_ONCE = 4
# Not the stack's: these threads must not hold up its deletion.
_GROUP = 'heat-extras: ends of locks'

# The ids of engines of this process, and of the roots that they lift.
_under_way = set()


def lift_due(service):
    """Begin to lift the locks whose end has come.

    Called at every report, so within one ``periodic_interval``; and whenever
    one is lifted, so that a thousand do not take a thousand of these.
    """
    context = heat_context.RequestContext(is_admin=True)
    try:
        free = _AT_ONCE - sum(
            engine_id == service.engine_id for engine_id, _ in _under_way)
        for entry in schedule.due(context, free) if free > 0 else ():
            _begin(service, context, entry)
    except Exception as error:
        LOG.error('heat-extras: locks whose end has come could not be looked '
                  'for: %s', error)


def _begin(service, context, entry):
    key = (service.engine_id, entry.stack_id)
    if key not in _under_way and schedule.claim(context, entry):
        _under_way.add(key)
        try:
            service.thread_group_mgr.start(_GROUP, _lift, service, context,
                                           entry)
        except BaseException:
            _under_way.discard(key)
            raise


def _lift(service, context, entry):
    end = functools.partial(_over, service, entry)
    try:
        _unlock(service, context, entry, end)
    except (schedule.NotDue, exception.EntityNotFound):
        LOG.info('The lock %(lock)s of stack %(id)s is not lifted at its end: '
                 'it was changed, or lifted, or somebody is at work on it',
                 {'lock': entry.id, 'id': entry.stack_id})
        end(True)
    except BaseException as error:
        end(True)
        if not isinstance(error, Exception):
            raise
        LOG.exception('The lock %(lock)s of stack %(id)s could not be lifted '
                      'at its end; it is tried again',
                      {'lock': entry.id, 'id': entry.stack_id})


def _unlock(service, context, entry, end):
    root = stack_object.Stack.get_by_id(context, entry.stack_id,
                                        eager_load=False)
    if root is None:
        raise schedule.NotDue()
    own = heat_context.RequestContext(
        is_admin=True, project_id=root.tenant)
    with consent.asked(own, root, lock_callbacks.EXPIRY) as told:
        outcome = lock_transaction.unlock_tree(
            own, root.id, schedule.checker(entry.id), service.engine_id,
            note=words.HAS_COME, why=words.HAS_COME,
            hold=functools.partial(schedule.insist, lock_id=entry.id))
    LOG.info('The end of the lock %(lock)s of %(name)s (%(id)s) has come: '
             'unlocking', {'lock': entry.id, 'name': root.name,
                           'id': root.id})

    def both(is_failure):
        try:
            told(is_failure)
        finally:
            end(is_failure)

    worker.start(service, own, outcome, states.UNLOCK, end=both,
                 why=words.HAS_COME)


def _over(service, entry, is_failure):
    _under_way.discard((service.engine_id, entry.stack_id))
    if not is_failure:
        lift_due(service)
