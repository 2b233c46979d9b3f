# SPDX-License-Identifier: Apache-2.0

"""The end of an update that goes through a lock: the lock holds again.

As soon as the tree is at rest, by the test of the lock itself, and by the
fence of the lock, so that nothing goes on which was loaded meanwhile. The
engine looks that ends the update, and each one at its report. Whatever the end
of the lock or of the pass says, that waits for it; nobody is asked.
"""

from heat.common import context as heat_context
from heat.common import service_utils
from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_log import log as logging
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import live_engines
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.stack_lock import events
from heat_extras.stack_lock.lock_pass import record
from heat_extras.stack_lock.lock_pass import words
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import tree

LOG = logging.getLogger(__name__)

_lock = models.lock_table
_stack = heat_models.Stack.__table__


class _Lifted(Exception):
    """No update goes through the lock of the tree."""


def close_due(service):
    """Look for updates with a pass that are over.

    Called at every report, so within one ``periodic_interval``; it reads the
    register alone while there is none.
    """
    context = heat_context.RequestContext(is_admin=True)
    try:
        with db_api.context_manager.reader.independent.using(
                context) as session:
            used = session.execute(
                sqlalchemy.select(_lock.c.id, _lock.c.stack_id)
                .join(_stack, sqlalchemy.and_(*models.entered(_stack)))
                .where(_lock.c.pass_used_at.is_not(None),
                       _stack.c.lock_passing.is_not(None),
                       _stack.c.deleted_at.is_(None))).all()
    except Exception as error:
        LOG.error('heat-extras: passes through locks could not be looked '
                  'for: %s', error)
        return
    for entry in used:
        close(context, entry.stack_id)


def after(stack):
    """Look whether it is over, when an operation of a stack has ended.

    :param stack: a heat.engine.stack.Stack, as it was loaded.
    """
    if _goes_through(stack):
        close(heat_context.RequestContext(is_admin=True, overwrite=False),
              stack.id)


def follow(thread, stack):
    """Look when a thread of the legacy engine is over, if it is to be."""
    if _goes_through(stack):
        thread.link(lambda ended: after(stack))
    return thread


def _goes_through(stack):
    return lock_record.of(stack).is_passing and stack.owner_id is None


def close(context, root_id):
    """Let the lock of a tree hold again, if the tree is at rest.

    A database that is away is no reason to stop: the next report looks again.

    :returns: whether it holds again by this.
    """
    try:
        blockers = _look(context, root_id)
        dead = _dead_engines(context, blockers)
        if any(blocker.engine_id not in dead for blocker in blockers):
            return False
        return _write(context, root_id, dead)
    except _Lifted:
        LOG.debug('The lock of stack %s was lifted meanwhile', root_id)
    except lock_transaction.TreeBusy as busy:
        LOG.debug('The pass of stack %(id)s is still used: %(busy)s',
                  {'id': root_id, 'busy': busy})
    except Exception:
        LOG.exception('Whether the pass of stack %s is still used could not '
                      'be found out; it is looked at again', root_id)
    return False


def _look(context, root_id):
    # First without a change: most looks find an update that goes on.
    with db_api.context_manager.reader.independent.using(context) as session:
        ids = tree.stack_ids(session, root_id)
        rows = {row.id: row for row in session.execute(
            sqlalchemy.select(_stack).where(
                _stack.c.id.in_(ids), _stack.c.deleted_at.is_(None)))}
        return tree.held_stack_locks(session, rows) + tree.running(
            session, rows)


def _dead_engines(context, blockers):
    found = {blocker.engine_id for blocker in blockers} - {None}
    if not found:
        return frozenset()
    with db_api.context_manager.reader.independent.using(context) as session:
        found -= {row.engine_id for row in live_engines.read_live(session)}
    return frozenset(each for each in found
                     if not service_utils.engine_alive(context, each))


@retries.on_db_error
def _write(context, root_id, dead_engines):
    # As lock_transaction.lock_tree, with the lock that is there.
    own = uuidutils.generate_uuid()
    with lock_transaction.transaction(context) as session:
        rows = tree.fenced_stacks(session, root_id)
        root = rows.get(root_id)
        if root is None or root.lock_passing is None:
            # What the fence has done is undone by that: the stacks may be
            # free, and somebody at work on them.
            raise _Lifted()
        lock_transaction.check_at_rest(session, rows, dead_engines, own)
        _restore(session, rows, root)
        tree.release_stack_locks(session, list(rows), own)
        if set(tree.stack_ids(session, root_id)) != set(rows):
            raise lock_transaction.TreeChanged()
        events.tell(session, root, words.OVER)
    LOG.info('The update with the pass through the lock of %(name)s (%(id)s) '
             'is over: the lock holds again',
             {'name': root.name, 'id': root_id})
    return True


def _restore(session, rows, root):
    # All of them, as what came meanwhile may have come without it.
    values = {name: getattr(root, name) for name in lock_record.COLUMNS}
    session.execute(
        sqlalchemy.update(_stack).where(_stack.c.id.in_(list(rows)))
        .values({**values, 'lock_level': root.lock_passing,
                 'lock_passing': None, 'lock_operation_id': None,
                 'current_traversal': lock_transaction.new_traversal()}))
    record.clear(session, lock_record.Lock.from_row(root).id)
