# SPDX-License-Identifier: Apache-2.0

"""Unlock stacks when their lock expires.

Each engine queries expired locks at its report. It reserves a lock in the lock
table, with the time when the unlock is retried if this engine stops or fails.
The unlock is like any other unlock, but without a user: services are called
with the credentials that Heat stores for the stack, and a plugin cannot deny
it.
"""

import datetime
import functools

from heat.common import context as heat_context
from heat.common import exception
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.objects import stack as stack_object
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras.heat_internals import lock_callbacks
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

_lock = models.guard_table
_stack = heat_models.Stack.__table__

# The maximum number of stacks that an engine unlocks at the same time.
_AT_ONCE = 4
# Not the group of the stack: these threads must not delay its deletion.
_GROUP = 'heat-extras: expired locks'

# Seconds until a failed unlock is retried, doubled with each attempt, up to a
# day. Each attempt adds events to the stack, even if the credentials are never
# sufficient.
_FIRST_PAUSE, _LONGEST_PAUSE = 60, 86400
# The maximum number of times that the pause is doubled.
_DOUBLED = 11

_EXPIRED = 'The lock has expired'

# The IDs of engines of this process, with the IDs of roots that they unlock.
_in_progress = set()


class NotDue(Exception):
    """The stack must not be unlocked, at least not now."""


def unlock_due(sweep):
    """Start to unlock the stacks whose lock has expired.

    It is also called after each unlock, so that many expired locks are removed
    without a wait for the next report.

    :param sweep: the :class:`heat_extras.left_operations.Sweep`.
    """
    free = _AT_ONCE - sum(
        engine_id == sweep.service.engine_id for engine_id, _ in _in_progress)
    for row in find_due(sweep.context, free) if free > 0 else ():
        _start_unlock(sweep, row)


def find_due(context, count):
    """Find the locks that have expired, in order of expiration.

    Locks with an operation in progress, or an update with a lock pass, are
    left out.

    :param count: the maximum number of locks.
    :returns: rows with the ``id`` of the lock, ``stack_id`` and
        ``unlock_attempts``.
    """
    query = (
        sqlalchemy.select(_lock.c.id, _lock.c.stack_id,
                          _lock.c.unlock_attempts)
        .join(_stack, sqlalchemy.and_(*models.lock_row_conditions(_stack)))
        .where(_lock.c.unlock_at <= db_time.now(),
               _stack.c.deleted_at.is_(None),
               _stack.c.lock_level.is_not(None), sqlalchemy.or_(
                   _lock.c.status.is_(None),
                   _lock.c.status != states.IN_PROGRESS))
        .order_by(_lock.c.unlock_at).limit(count))
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.execute(query).all()


@transactions.on_db_error
def reserve_lock(context, row):
    """Reserve an expired lock, and write the time of the next attempt.

    :returns: False if another engine has reserved it, or its expiration was
        changed.
    """
    with db_api.context_manager.writer.independent.using(context) as session:
        pause = _FIRST_PAUSE * 2 ** min(row.unlock_attempts, _DOUBLED)
        next_attempt = db_time.read_time(session) + datetime.timedelta(
            seconds=min(pause, _LONGEST_PAUSE))
        return session.execute(
            sqlalchemy.update(_lock)
            .where(_lock.c.id == row.id,
                   _lock.c.unlock_attempts == row.unlock_attempts,
                   _lock.c.unlock_at <= db_time.now())
            .values(unlock_at=next_attempt,
                    unlock_attempts=row.unlock_attempts + 1)).rowcount > 0


def require_due(session, lock_id):
    """Raise an error unless a lock has expired.

    Call this in the transaction that locks the rows of the tree. A change of
    the expiration locks the same rows. On other nodes of Galera, one of the
    two transactions fails, because both change the row of the lock.

    :raises NotDue: if the lock has not expired.
    """
    if session.scalar(sqlalchemy.select(_lock.c.id).where(
            _lock.c.id == lock_id,
            _lock.c.expires_at <= db_time.now())) is None:
        raise NotDue()


def due_checker(lock_id):
    """Return the check for :func:`lock_transaction.unlock_tree`.

    :returns: a function of a :class:`lock_record.Lock` that raises
        :class:`NotDue`.
    """
    def check(lock):
        if (lock.id != lock_id or lock.is_passing
                or lock.refuses(states.UNLOCK)):
            raise NotDue()
    return check


def _start_unlock(sweep, row):
    key = (sweep.service.engine_id, row.stack_id)
    if key not in _in_progress and reserve_lock(sweep.context, row):
        _in_progress.add(key)
        try:
            sweep.service.thread_group_mgr.start(_GROUP, _run_unlock, sweep,
                                                 row, key)
        except BaseException:
            _in_progress.discard(key)
            raise


def _run_unlock(sweep, row, key):
    try:
        _unlock(sweep.service, sweep.context, row)
    except (NotDue, exception.EntityNotFound):
        LOG.info('Stack %(id)s is not unlocked now: its expired lock %(lock)s '
                 'was changed or no longer exists, or an operation is in '
                 'progress',
                 {'lock': row.id, 'id': row.stack_id})
        return
    except Exception:
        LOG.exception('Expired lock %(lock)s of stack %(id)s could not be '
                      'removed. Engines will try again',
                      {'lock': row.id, 'id': row.stack_id})
        return
    finally:
        _in_progress.discard(key)
    sweep.end('expired locks', unlock_due)


def _unlock(service, context, row):
    root = stack_object.Stack.get_by_id(context, row.stack_id,
                                        eager_load=False)
    if root is None:
        raise NotDue()
    own = heat_context.RequestContext(is_admin=True, project_id=root.tenant)
    with lock_request.call_callbacks(own, root, lock_callbacks.EXPIRY) as end:
        outcome = lock_transaction.unlock_tree(
            own, root.id, due_checker(row.id), service.engine_id,
            note=_EXPIRED, why=_EXPIRED,
            check_session=functools.partial(require_due, lock_id=row.id))
    LOG.info('Lock %(lock)s of stack %(name)s (%(id)s) has expired: '
             'unlocking the stack',
             {'lock': row.id, 'name': root.name, 'id': root.id})
    lock_thread.unlock_and_wait(service, own, outcome, end, _EXPIRED)
