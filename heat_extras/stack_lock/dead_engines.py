# SPDX-License-Identifier: Apache-2.0

"""Mark locks and unlocks that no engine continues as failed.

Their engine is down, or it is running but the thread of the operation has
ended.
"""

from heat.common import context as heat_context
from heat.db import api as db_api
from heat.db import models
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import resource_events
from heat_extras.db import retries
from heat_extras.heat_internals import heartbeat
from heat_extras.operations import transactions
from heat_extras.stack_lock import events
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

# The status reasons of a lock or unlock that is marked as failed.
LOST = ('The result of the lock operation could not be saved because the '
        'database was unavailable. Retry the operation.')
_ENGINE_STOPPED = ('The engine stopped before the lock operation was '
                   'complete. Retry the operation.')

_stack = models.Stack.__table__


def fail_interrupted(service):
    """Mark interrupted locks and unlocks as failed.

    This is called at every report, so within one ``periodic_interval``.
    """
    context = heat_context.RequestContext(is_admin=True)
    try:
        engine_ids = _busy_engines(context)
        if service.engine_id in engine_ids:
            _fail_own(service, context)
        for engine_id in heartbeat.find_unresponsive(
                context, engine_ids - {service.engine_id}):
            _fail_dead_engine(context, engine_id)
    except Exception as error:
        LOG.error('heat-extras: cannot query the lock operations of engines '
                  'that are down: %s', error)


def _fail_own(service, context):
    # Query the rows first, because an operation is registered in the process
    # before its row is written.
    own = _operations_of_engine(context, service.engine_id)
    lost = {root_id: operation_id for root_id, operation_id in own.items()
            if not lock_transaction.is_in_process(operation_id)}
    if not lost:
        return
    count = fail_operations_of_engine(context, service.engine_id,
                                      LOST,
                                      list(lost.values()))
    # Another engine can be first.
    if count:
        LOG.warning('The lock operations of this engine for %s stacks were '
                    'marked as failed, because their threads have ended',
                    count)


def _fail_dead_engine(context, engine_id):
    count = fail_operations_of_engine(context, engine_id)
    if count:
        LOG.warning('Engine %(id)s is down: its lock operations for %(count)s '
                    'stacks were marked as failed',
                    {'count': count, 'id': engine_id})


def _busy_engines(context):
    """List the IDs of the engines with a lock or unlock in progress."""
    with db_api.context_manager.reader.independent.using(context) as session:
        return set(session.scalars(
            sqlalchemy.select(_stack.c.lock_engine_id).distinct()
            .where(_stack.c.lock_status == states.IN_PROGRESS,
                   _stack.c.lock_engine_id.is_not(None))))


def _operations_of_engine(context, engine_id):
    """Return the locks and unlocks in progress of an engine.

    :returns: a dict from the IDs of roots to the IDs of the operations.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        return {row.id: row.lock_operation_id for row in session.execute(
            sqlalchemy.select(_stack.c.id, _stack.c.lock_operation_id)
            .where(_stack.c.lock_engine_id == engine_id,
                   _stack.c.lock_status == states.IN_PROGRESS,
                   _stack.c.owner_id.is_(None)))}


@retries.on_db_error
def fail_operations_of_engine(context, engine_id, why=_ENGINE_STOPPED,
                              only=None):
    """Mark the locks and unlocks of an engine as failed.

    The stacks stay locked.

    :param only: the IDs of the operations to mark, or None for all operations
        of an engine that is down.
    :returns: the number of stacks.
    """
    is_meant = () if only is None else (
        _stack.c.lock_operation_id.in_(only),)
    with transactions.start(context) as session:
        rows = session.execute(
            sqlalchemy.select(_stack)
            .where(_stack.c.lock_engine_id == engine_id,
                   _stack.c.lock_status == states.IN_PROGRESS, *is_meant)
            .order_by(_stack.c.id).with_for_update()).all()
        session.execute(
            sqlalchemy.update(_stack)
            .where(_stack.c.id.in_([row.id for row in rows]))
            .values(lock_status=states.FAILED, lock_engine_id=None,
                    lock_status_reason=why))
        for row in rows:
            if row.owner_id is None:
                resource_events.fail_unfinished(
                    session, row, why, events.event_limit())
                events.write_end(session, {row.id: row}, row.id,
                                 row.lock_action, states.FAILED, why)
    return len(rows)
