# SPDX-License-Identifier: Apache-2.0

"""Signals that a lock ignores: counted, and reported by the unlock event."""

from heat.common import exception
from heat.db import api as db_api
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.heat_internals import agent_signals
from heat_extras import sanitize
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import tree

LOG = logging.getLogger(__name__)

_ignored = models.ignored_signal_table

# The maximum number of resources that the unlock event names.
_NAMED = 3


@retries.on_db_error
def count_ignored(context, stack_id, resource_id, resource_name):
    """Count one ignored signal of a resource.

    :param resource_id: of its row in Heat's table.
    :returns: True for the first one under this lock.
    """
    try:
        with db_api.context_manager.writer.independent.using(
                context) as session:
            return _count(session, stack_id, resource_id, resource_name)
    except db_exception.DBDuplicateEntry as error:
        # Another engine has just counted the first signal.
        raise db_exception.DBDeadlock() from error


def _count(session, stack_id, resource_id, resource_name):
    counting.increment(session, stack_id, counters.IGNORED, 'signal')
    now = timeutils.utcnow()
    counted = session.execute(
        sqlalchemy.update(_ignored)
        .where(_ignored.c.resource_id == resource_id)
        .values(count=_ignored.c.count + 1, last_at=now))
    if counted.rowcount:
        return False
    session.execute(sqlalchemy.insert(_ignored).values(
        resource_id=resource_id, stack_id=stack_id,
        resource_name=resource_name, count=1, first_at=now, last_at=now))
    return True


def select_counts(stack_ids):
    """Return the query for the counts of the given stacks.

    :returns: for rows with ``stack_id``, ``resource_name``, ``count`` and
        ``last_at``, largest count first.
    """
    return sqlalchemy.select(_ignored).where(
        _ignored.c.stack_id.in_(stack_ids)).order_by(
            _ignored.c.count.desc(), _ignored.c.resource_name)


def pop_summary(session, stacks):
    """Describe and remove the counts of a tree.

    :param stacks: the rows of the stacks of the tree by id.
    :returns: as :func:`describe`.
    """
    counts = session.execute(select_counts(list(stacks))).all()
    if counts:
        session.execute(sqlalchemy.delete(_ignored).where(
            _ignored.c.stack_id.in_(list(stacks))))
    return describe(counts, lambda stack_id: stacks[stack_id].name)


def describe(counts, name_of):
    """Say how many signals were ignored, and of which resources.

    :param counts: the rows of :func:`select_counts`.
    :param name_of: returns the name of a stack, by its id.
    :returns: a sentence, or None when there were none.
    """
    if not counts:
        return None
    named = ', '.join(
        f'{row.resource_name} of stack {name_of(row.stack_id)}: {row.count}'
        for row in counts[:_NAMED])
    return messages.signals_ignored(sum(row.count for row in counts), named,
                                    max(len(counts) - _NAMED, 0))


def is_ignored(resource):
    """Return whether a signal to a resource has no effect now."""
    return lock_record.of(resource.stack).ignores(_kind(resource))


def _kind(resource):
    return (operations.AGENT_SIGNAL
            if agent_signals.is_signaled_by_agents(resource)
            else operations.SIGNAL)


def signal(resource, original, details, need_check):
    """Do what Resource.signal does, if the signal has an effect.

    :param original: Heat's own, bound.
    """
    if agent_signals.clears_hook(details):
        return original(details, need_check)
    if is_ignored(resource):
        return _ignore(resource, lock_record.of(resource.stack))
    try:
        return original(details, need_check)
    except exception.ResourceFailure:
        lock = _lock_meanwhile(resource)
        if lock is None:
            raise
        return _ignore(resource, lock)


def _lock_meanwhile(resource):
    kind = _kind(resource)
    if kind == operations.AGENT_SIGNAL:
        # The data of the agent is not valid, and the agent must see that.
        return None
    # A scaling group requests its new size in a thread, after the answer: the
    # stack may have been locked in between.
    _, lock = tree.read_lock(resource.context, resource.stack.id)
    return lock if lock.ignores(kind) else None


def _ignore(resource, lock):
    stack = resource.stack
    LOG.info(
        'Signal to %(resource)s of stack %(stack)s (%(id)s) ignored: '
        'the stack is locked',
        {'resource': sanitize.printable(resource.name), 'stack': stack.name,
         'id': stack.id})
    if count_ignored(resource.context, stack.id, resource.id, resource.name):
        resource._add_event('SIGNAL', resource.status, messages.signal_ignored(
            lock.level, lock.reason))
    return False
