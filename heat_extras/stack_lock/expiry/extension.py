# SPDX-License-Identifier: Apache-2.0

"""Another end for a lock that is in force.

The lock keeps its id. Nothing is fenced, since nothing else of it changes, and
no plugin is asked.
"""

from oslo_log import log as logging
import sqlalchemy

from heat_extras import capabilities
from heat_extras.db import models
from heat_extras.stack_lock import engines
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock.expiry import terms
from heat_extras.stack_lock.expiry import words
from heat_extras.stack_lock.identity import condition
from heat_extras.stack_lock import ledger
from heat_extras.stack_lock import locks
from heat_extras.stack_lock import notification
from heat_extras.stack_lock import once
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import request
from heat_extras.stack_lock import states
from heat_extras.stack_lock import words as lock_words
from heat_extras import timestamps

LOG = logging.getLogger(__name__)

_lock = models.lock_table


def extend(service, context, identity, expires_at, expected=None):
    """Give the lock of a tree another end.

    :param service: the heat.engine.service.EngineService that was asked.
    :param identity: of the root stack.
    :param expires_at: see :func:`terms.read`; None takes the end away.
    :param expected: see :func:`condition.read`.
    """
    wanted = condition.read(expected, 'extend_lock')
    end_at = terms.read(expires_at)
    root = request.root_row(service, context, identity, 'extend_lock')
    engines.check_all_can(context, capabilities.LOCK_END, words.NO_END)
    outcome = write(context, root.id, request.checker(
        context, root, operations.EXTEND_LOCK, wanted,
        words.EXTENDING), end_at)
    notification.send(service, context, outcome, states.EXTEND_LOCK)
    LOG.info('The end of the lock of %(name)s (%(id)s) is: %(end)s',
             {'name': root.name, 'id': root.id,
              'end': timestamps.to_iso(end_at) or 'none'})


@once.at_most
def write(context, root_id, check, wanted):
    """Write another end, while its lock is in force.

    The rows of the tree are held: either an engine that lifts it has done so,
    or it finds the new end.

    :param check: as in :func:`ledger.lock_tree`.
    :param wanted: the end, or None.
    :returns: a :class:`ledger.Outcome`.
    """
    with ledger.transaction(context) as session:
        root = ledger.checked_tree(session, root_id, check)[root_id]
        lock = locks.Lock.from_row(root)
        terms.check(session, root, lock.level, lock.rank, wanted)
        if not session.execute(
                sqlalchemy.update(_lock).where(_lock.c.id == lock.id)
                .values(expires_at=wanted, lift_at=wanted,
                        lift_attempts=0)).rowcount:
            raise errors.StackLockConflict(
                message=words.no_id(lock_words.named(root)))
        return once.ended(ledger.Outcome(root, [], events.tell(
            session, root, words.changed(timestamps.to_iso(wanted)))))
