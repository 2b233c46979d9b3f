# SPDX-License-Identifier: Apache-2.0

"""A locked tree that is taken for its deletion, in the database."""

from heat.db import models
import sqlalchemy

from heat_extras.db import retries
from heat_extras.stack_lock import events
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock import in_process_operations
from heat_extras.stack_lock.lock_list import lock_table
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock import states
from heat_extras.stack_lock import tree
from heat_extras.stack_lock import words

_stack = models.Stack.__table__


def take(context, root_id, check, engine_id):
    """Take a tree whose lock failed, to lift that for a deletion.

    It is UNLOCK_IN_PROGRESS until :func:`clear` or :func:`give_back`,
    and nobody is told of it by then.

    :param check: as in :func:`lock_transaction.lock_tree`.
    :returns: a :class:`lock_transaction.Outcome`.
    """
    operation = in_process_operations.begin(True)
    # What each attempt came to, before its commit.
    outcomes = []

    @retries.on_db_error
    def attempt(context):
        with lock_transaction.transaction(context) as session:
            # One may be done without an answer; it has written no event.
            if outcomes and _is_taken(session, root_id, operation.id):
                return outcomes[-1]
            rows = lock_transaction.checked_tree(session, root_id, check)
            lock_transaction.write_unlocking(session, list(rows), engine_id,
                                             operation.id)
            outcomes.append(lock_transaction.Outcome(rows[root_id],
                                                     list(rows), [],
                                                     operation))
        return outcomes[-1]
    return attempt(context)


def _is_taken(session, root_id, operation_id):
    # With its row, which an attempt that is about to end may still hold.
    rows = tree.stacks(session, [root_id])
    return root_id in rows and (
        rows[root_id].lock_operation_id == operation_id)


@retries.on_db_error
def give_back(context, claimed, is_doubtful=False):
    """Make the lock of a claimed tree what it was; not one taken away since.

    :param claimed: the :class:`lock_transaction.Outcome` of :func:`take`.
    :param is_doubtful: whether something may have stayed released.
    """
    was = claimed.root
    with lock_transaction.transaction(context) as session:
        given = session.execute(
            sqlalchemy.update(_stack)
            .where(_stack.c.id.in_(claimed.stack_ids),
                   _stack.c.lock_status == states.IN_PROGRESS,
                   _stack.c.lock_operation_id == claimed.operation_id)
            .values(lock_action=was.lock_action, lock_status=was.lock_status,
                    lock_status_reason=was.lock_status_reason,
                    lock_engine_id=None, lock_operation_id=None))
        if is_doubtful and given.rowcount:
            protection_table.doubt(session, was.id)


def clear(session, claimed):
    """Lift the lock of a claimed tree, in the transaction that begins DELETE.

    :param claimed: the :class:`lock_transaction.Outcome` of :func:`take`.
    """
    rows = tree.stacks(session, claimed.stack_ids)
    root = claimed.root
    lock_transaction.write_nothing(session, list(rows))
    protection_table.forget_tree(session, root.id)
    lock_table.delete(session, root.id)
    ignored = ignored_signals.describe(
        ignored_signals.take_counts(session, list(rows)), rows)
    events.start(session, root, states.UNLOCK)
    events.finish(session, rows, root.id, states.UNLOCK, states.COMPLETE,
                  ignored or words.UNLOCKED)
