# SPDX-License-Identifier: Apache-2.0

"""Ignore and count signals to locked stacks, for the unlock event."""

from heat.common import exception
from heat.db import api as db_api
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras.heat_internals import agent_signals
from heat_extras import sanitize
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operations

LOG = logging.getLogger(__name__)

_ignored = models.ignored_signal_table

# The maximum number of resources that the unlock event names.
_NAMED = 3


@transactions.on_db_error
def count_ignored(context, stack_id, resource_id, resource_name):
    """Count one ignored signal of a resource.

    :param resource_id: the ID of the resource's row in Heat's table.
    :returns: True for the first ignored signal of the resource in this lock.
    """
    try:
        with db_api.context_manager.writer.independent.using(
                context) as session:
            return _count(session, stack_id, resource_id, resource_name)
    except db_exception.DBDuplicateEntry as error:
        # Another engine has just counted the first signal.
        raise db_exception.DBDeadlock() from error


def _count(session, stack_id, resource_id, resource_name):
    counter_writes.increment(session, stack_id, counters.IGNORED, 'signal')
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

    Its rows have ``stack_id``, ``resource_name``, ``count`` and ``last_at``,
    the largest count first.
    """
    return sqlalchemy.select(_ignored).where(
        _ignored.c.stack_id.in_(stack_ids)).order_by(
            _ignored.c.count.desc(), _ignored.c.resource_name)


def pop_summary(session, stacks):
    """Describe and delete the counts of a tree.

    :param stacks: the rows of the stacks of the tree by ID.
    :returns: a sentence, or None if no signal was ignored.
    """
    counts = session.execute(select_counts(list(stacks))).all()
    if counts:
        session.execute(sqlalchemy.delete(_ignored).where(
            _ignored.c.stack_id.in_(list(stacks))))
    return describe(counts, lambda stack_id: stacks[stack_id].name)


def describe(counts, name_of):
    """Describe the number of ignored signals, with their resources.

    :param counts: the rows of :func:`select_counts`.
    :param name_of: a function from the ID of a stack to its name.
    :returns: a sentence, or None if no signal was ignored.
    """
    if not counts:
        return None
    named = ', '.join(
        f'{row.resource_name} of stack {name_of(row.stack_id)}: {row.count}'
        for row in counts[:_NAMED])
    if len(counts) > _NAMED:
        more = sanitize.with_plural(len(counts) - _NAMED, 'more resource')
        named += f', and {more}'
    total = sum(row.count for row in counts)
    were = 'was' if total == 1 else 'were'
    return (f'{sanitize.with_plural(total, "signal")} {were} ignored while '
            f'the stack was locked ({named})')


def is_ignored(resource):
    """Return whether a signal to a resource is ignored now."""
    return lock_record.lock_of(resource.stack).ignores(_signal_kind(resource))


def _signal_kind(resource):
    return (operations.AGENT_SIGNAL
            if agent_signals.is_signaled_by_agents(resource)
            else operations.SIGNAL)


def signal(resource, details, proceed):
    """Deliver a signal, or ignore the signal of a locked stack.

    :param proceed: delivers the signal.
    """
    if agent_signals.clears_hook(details):
        return proceed()
    if is_ignored(resource):
        return _ignore(resource)
    try:
        return proceed()
    except exception.ResourceFailure:
        if not _is_ignored_again(resource):
            raise
        return _ignore(resource)


def _is_ignored_again(resource):
    kind = _signal_kind(resource)
    if kind == operations.AGENT_SIGNAL:
        # The data of the agent is not valid, and the agent must receive the
        # error.
        return False
    # A scaling group requests its new size in a thread after the response. The
    # stack might have been locked in between.
    return _read_lock(resource).ignores(kind)


def _read_lock(resource):
    return guard_row.read_lock(resource.context, resource.stack.id)[1]


def _ignore(resource):
    stack = resource.stack
    LOG.info(
        'Signal to %(resource)s of stack %(stack)s (%(id)s) ignored: '
        'the stack is locked',
        {'resource': sanitize.printable(resource.name), 'stack': stack.name,
         'id': stack.id})
    if count_ignored(resource.context, stack.id, resource.id, resource.name):
        lock = _read_lock(resource)
        resource._add_event(
            'SIGNAL', resource.status,
            f'Signal ignored: the stack is locked (level {lock.level})'
            f'{sanitize.after_colon(lock.reason)}')
    return False
