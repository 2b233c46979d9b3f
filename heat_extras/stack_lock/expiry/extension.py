# SPDX-License-Identifier: Apache-2.0

"""Another end for a lock that is in force.

The lock keeps its id. Nothing is fenced, since nothing else of it changes, and
no plugin is asked.
"""

from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import models
from heat_extras.heat_internals import caller
from heat_extras.stack_lock import commit_retry
from heat_extras.stack_lock import engine_check
from heat_extras.stack_lock import events
from heat_extras.stack_lock.expiry import terms
from heat_extras.stack_lock.expiry import words
from heat_extras.stack_lock.lock_list import precondition
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import notification
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states
from heat_extras import timestamps

LOG = logging.getLogger(__name__)

_lock = models.lock_table


def extend(service, context, identity, expires_at, expected=None):
    """Give the lock of a tree another end.

    :param service: the heat.engine.service.EngineService that was asked.
    :param identity: of the root stack.
    :param expires_at: see :func:`terms.read`; None takes the end away.
    :param expected: see :func:`precondition.read`.
    """
    wanted = precondition.read(expected, 'extend_lock')
    end_at = terms.read(expires_at)
    root = lock_request.root_row(service, context, identity, 'extend_lock')
    engine_check.check_all_guarded(context, words.NO_END)
    outcome = write(context, root.id, lock_request.checker(
        context, root, operations.EXTEND_LOCK, wanted,
        words.EXTENDING), end_at)
    notification.send(service, context, outcome, states.EXTEND_LOCK)
    LOG.info('The end of the lock of %(name)s (%(id)s) is: %(end)s',
             {'name': root.name, 'id': root.id,
              'end': timestamps.to_iso(end_at) or 'none'})


@commit_retry.at_most
def write(context, root_id, check, wanted):
    """Write another end, while its lock is in force.

    The rows of the tree are held: either an engine that lifts it has done so,
    or it finds the new end.

    :param check: as in :func:`lock_transaction.lock_tree`.
    :param wanted: the end, or None.
    :returns: a :class:`lock_transaction.Outcome`.
    """
    with lock_transaction.transaction(context) as session:
        root = lock_transaction.checked_tree(session, root_id, check)[root_id]
        lock = lock_record.Lock.from_row(root)
        terms.check(session, root, lock.level, lock.rank, wanted)
        session.execute(
            sqlalchemy.update(_lock).where(_lock.c.id == lock.id)
            .values(expires_at=wanted, lift_at=wanted, lift_attempts=0))
        written = events.tell(
            session, root, words.changed(timestamps.to_iso(wanted)),
            why=events.requester(root, caller.name(context),
                                 context.project_id))
        return commit_retry.ended(
            lock_transaction.Outcome(root, [], written))
