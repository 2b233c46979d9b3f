# SPDX-License-Identifier: Apache-2.0

"""The part of a lock or unlock that asks other services, in a thread.

The tree is locked before this begins, and stays locked until it has ended,
whatever happens here.
"""

from oslo_log import log as logging

from heat_extras.db import connection_errors
from heat_extras.heat_internals import event_purge
from heat_extras.heat_internals import final_status
from heat_extras import internal_error
from heat_extras.stack_lock import events
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock.resource_locks import events as protection_events
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import operation_token
from heat_extras.stack_lock import states
from heat_extras.stack_lock import words

LOG = logging.getLogger(__name__)


def start(service, context, outcome, action, level=None,
          end=lambda is_failure: None, why=None, ignore_failures=False):
    """Continue in a thread what a transaction has started, if needed.

    :param outcome: the :class:`lock_transaction.TransactionResult` of it.
    :param level: of a LOCK.
    :param end: called with whether it failed when it is over.
    :param why: of an unlock that nobody has asked for: what its event tells.
        Services are asked with the credentials that Heat keeps then.
    :param ignore_failures: of an UNLOCK: whether it is complete also when
        resources could not be released.
    """
    events.notify(service, context, outcome, action)
    if not outcome.is_pending:
        end(False)
        return
    try:
        service.thread_group_mgr.start(
            outcome.root.id, _run, service, context, outcome, action, level,
            end, why, ignore_failures)
    except BaseException:
        try:
            _close(service, context, outcome, action, end,
                   words.no_thread(action, outcome.root.id))
        finally:
            outcome.operation.leave()
        raise


def unlock(service, context, outcome, end):
    """Finish an unlock in this thread, before a deletion.

    :param outcome: as that of :func:`start`; and *end*.
    """
    events.notify(service, context, outcome, states.UNLOCK)
    if outcome.is_pending:
        _run(service, context, outcome, states.UNLOCK, None, end, None)
    else:
        end(False)


def _close(service, context, outcome, action, end, failure, note=None):
    try:
        ended = _end(context, outcome.root.id, action, outcome.operation_id,
                     failure, note)
    except BaseException:
        # It has failed by that: see :mod:`dead_engines`.
        end(True)
        raise
    if ended is not None:
        events.notify(service, context, ended, action)
        event_purge.keep(context, ended.stack_ids,
                         protection_events.event_limit() or 0)
    end(failure is not None)


def _run(service, context, outcome, action, level, end, why,
         ignore_failures=False):
    try:
        _go_on(service, context, outcome, action, level, end, why,
               ignore_failures)
    finally:
        outcome.operation.leave()


def _go_on(service, context, outcome, action, level, end, why,
           ignore_failures):
    # A change to level stacks releases what level all had protected.
    is_protecting = action == states.LOCK and level == states.ALL
    try:
        report = _work(context, outcome, is_protecting, level, why is None)
        failure = words.in_vain(why, report.failure(
            'protected' if is_protecting else 'released'))
        note = ('. '.join(filter(None, (why, report.note()))) or None
                if action == states.UNLOCK else None)
        if failure and action == states.UNLOCK:
            failure = words.not_released_ways(
                failure, outcome.root.name, outcome.root.id)
        if ignore_failures and failure:
            failure, note = None, '. '.join(filter(None, (
                words.given_up(report.failure('released')), note)))
    except operation_token.Superseded as error:
        LOG.warning('%(action)s of stack %(id)s is given up: %(error)s',
                    {'action': action, 'id': outcome.root.id,
                     'error': error})
        end(True)
        return
    except Exception as error:
        failure, note = words.in_vain(why, internal_error.unexpected(
            error, words.work(action, outcome.root.id))), None
        if ignore_failures and not connection_errors.is_away(error):
            # Not even its resources could be loaded: nothing more to try.
            failure, note = None, words.given_up(
                f'the services could not be asked: {failure}')
    except BaseException:
        # The thread is being ended (ThreadGroupManager.stop). This engine
        # lives, so no other one would ever end what it has begun.
        _close(service, context, outcome, action, end,
               words.stopped(action, outcome.root.id))
        raise
    _close(service, context, outcome, action, end, failure, note)


def _end(context, root_id, action, operation_id, failure, note):
    def write(action, status, reason):
        told = (reason, None) if failure else (None, reason)
        return _finish(context, root_id, action, operation_id, *told)
    status = states.FAILED if failure else states.COMPLETE
    return final_status.write(write, action, status, failure or note)


# This engine is alive, so no other one would ever end what it has begun.
@connection_errors.wait_out
def _finish(*arguments):
    try:
        return lock_transaction.finish_tree(*arguments)
    except Exception as error:
        if connection_errors.is_away(error):
            raise
        LOG.exception('The result could not be saved with the events of '
                      'resources. Saving it without them')
        return lock_transaction.finish_tree(*arguments, has_events=False)


def _work(context, outcome, is_protecting, level, has_credentials):
    own = operation_token.Token(context, outcome.root.id,
                                outcome.operation_id,
                                has_credentials)
    if is_protecting:
        return lock_resources.protect(own, outcome.stack_ids, level)
    return lock_resources.release(own)
