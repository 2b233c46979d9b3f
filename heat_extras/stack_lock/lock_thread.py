# SPDX-License-Identifier: Apache-2.0

"""Call the services for a lock or unlock, in a thread.

The tree is locked before the thread starts, and stays locked until its end,
also after an error. If the engine is down, or is running but the thread has
ended, another engine or this one marks the lock or unlock as failed.
"""

from heat.db import api as db_api
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import connection_errors
from heat_extras.db import models
from heat_extras.heat_internals import final_status
from heat_extras.heat_internals import rpc_errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import messages
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

# The event of an unlock that could not release all resources.
_UNLOCKED_BUT = ('Unlocked, but {}. These resources might still be protected '
                 'by their services')

# The status reasons of a lock or unlock without a thread.
LOST = ('The result of the lock operation could not be saved because the '
        'database was unavailable. Retry the operation.')
_ENGINE_STOPPED = ('The engine stopped before the lock operation was '
                   'complete. Retry the operation.')

_guard = models.guard_table


def start_thread(service, context, outcome, action, level=None,
                 end=lambda is_failure: None, ignore_failures=False):
    """Continue a lock or unlock in a thread, if it is not complete.

    :param outcome: the :class:`lock_transaction.TransactionResult` of its
        start.
    :param level: the level of a LOCK.
    :param end: a function that is called at the end, with True after a
        failure.
    :param ignore_failures: whether an UNLOCK is complete even if resources
        could not be released.
    """
    events.notify(service, context, outcome, action)
    if not outcome.is_pending:
        end(False)
        return
    try:
        service.thread_group_mgr.start(
            outcome.root.id, _run, service, context, outcome, action, level,
            end, None, ignore_failures)
    except BaseException:
        try:
            _finish(service, context, outcome, action, end,
                    f'No thread could be started for the {action} of stack '
                    f'{outcome.root.id}. Retry the operation.')
        finally:
            outcome.operation.unregister()
        raise


def unlock_and_wait(service, context, outcome, end, why=None):
    """Finish an unlock in this thread.

    :param outcome: as in :func:`start_thread`.
    :param end: as in :func:`start_thread`.
    :param why: for an unlock without a user: a sentence for its event. In
        this case, services are called with the credentials that Heat stores.
    """
    events.notify(service, context, outcome, states.UNLOCK)
    if outcome.is_pending:
        _run(service, context, outcome, states.UNLOCK, None, end, why)
    else:
        end(False)


def _finish(service, context, outcome, action, end, failure, note=None):
    try:
        ended = _write_end(context, outcome.root.id, action,
                           outcome.operation_id, failure, note)
    except BaseException:
        # The operation counts as failed, see fail_interrupted().
        end(True)
        raise
    if ended is not None:
        events.notify(service, context, ended, action)
        events.purge_old_events(context, ended.stack_ids,
                                events.event_limit() or 0)
    end(failure is not None)


def _run(service, context, outcome, action, level, end, why,
         ignore_failures=False):
    try:
        _call_and_finish(service, context, outcome, action, level, end, why,
                         ignore_failures)
    finally:
        outcome.operation.unregister()


def _call_and_finish(service, context, outcome, action, level, end, why,
                     ignore_failures):
    # A change to level stacks releases the resources of level all.
    is_protecting = action == states.LOCK and level == states.ALL
    try:
        report = _call_services(context, outcome, is_protecting, level,
                                why is None)
        failure = report.failure('protected' if is_protecting else 'released')
        note = ('. '.join(filter(None, (why, report.note()))) or None
                if action == states.UNLOCK else None)
        if failure and action == states.UNLOCK:
            failure = _add_remedy(_with_retry(why, failure), outcome.root,
                                  has_retry=why is not None)
        if ignore_failures and failure:
            failure, note = None, '. '.join(filter(None, (
                _UNLOCKED_BUT.format(report.failure('released')), note)))
    except resource_table.Superseded as error:
        LOG.warning('%(action)s of stack %(id)s is not continued: %(error)s',
                    {'action': action, 'id': outcome.root.id,
                     'error': error})
        end(True)
        return
    except Exception as error:
        failure, note = _with_retry(why, rpc_errors.log_unexpected(
            error, messages.operation_name(action, outcome.root.id))), None
        if ignore_failures and not connection_errors.is_unavailable(error):
            # The resources could not be loaded, so do not try again.
            failure, note = None, _UNLOCKED_BUT.format(
                f'the services could not be called: {failure.rstrip(".")}')
    except BaseException:
        # The thread is being stopped (ThreadGroupManager.stop). This engine is
        # alive, so no other engine would end the operation.
        _finish(service, context, outcome, action, end,
                messages.stopped(action, outcome.root.id))
        raise
    _finish(service, context, outcome, action, end, failure, note)


def _add_remedy(failure, root, has_retry):
    remedy = ('To unlock the stack now without these resources' if has_retry
              else 'Retry the unlock, or unlock the stack without these '
                   'resources')
    return (f'{failure.rstrip(".")}. {remedy}: openstack stack unlock '
            f'--ignore-failures {root.name}. An administrator of the cloud '
            f'can use heat-extras-manage unlock {root.id}')


def _with_retry(why, failure):
    # Engines retry an unlock that no user has requested.
    if why is None or failure is None:
        return failure
    return (f'{why}, but the unlock failed. Engines will retry the unlock. '
            f'{failure}')


def _write_end(context, root_id, action, operation_id, failure, note):
    def write(action, status, reason):
        failure_and_note = (reason, None) if failure else (None, reason)
        return _finish_tree(context, root_id, action, operation_id,
                            *failure_and_note)
    status = states.FAILED if failure else states.COMPLETE
    return final_status.write_status(write, action, status, failure or note)


# This engine is alive, so no other engine would end the operation.
@connection_errors.retry_until_available
def _finish_tree(*arguments):
    try:
        return lock_transaction.finish_tree(*arguments)
    except Exception as error:
        if connection_errors.is_unavailable(error):
            raise
        LOG.exception('The result could not be saved with the events of '
                      'resources. Saving it without them')
        return lock_transaction.finish_tree(*arguments, has_events=False)


def _call_services(context, outcome, is_protecting, level, has_credentials):
    own = resource_table.Token(context, outcome.root.id,
                               outcome.operation_id,
                               has_credentials)
    if is_protecting:
        return lock_resources.protect(own, outcome.stack_ids, level)
    return lock_resources.release(own)


def fail_interrupted(sweep):
    """Mark interrupted locks and unlocks as failed. The stacks stay locked.

    :param sweep: the :class:`heat_extras.left_operations.Sweep`.
    """
    for row in _list_in_progress(sweep.context):
        if not sweep.is_lost(row.engine_id, row.operation_id):
            continue
        why = (LOST if row.engine_id == sweep.service.engine_id
               else _ENGINE_STOPPED)
        # Another engine can be first.
        if lock_transaction.finish_tree(sweep.context, row.stack_id,
                                        row.action, row.operation_id, why):
            LOG.warning('%(action)s of stack %(id)s by engine %(engine)s was '
                        'marked as failed: %(why)s',
                        {'action': row.action, 'id': row.stack_id,
                         'engine': row.engine_id, 'why': why})


def _list_in_progress(context):
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.execute(
            sqlalchemy.select(_guard)
            .where(_guard.c.status == states.IN_PROGRESS,
                   _guard.c.engine_id.is_not(None))).all()
