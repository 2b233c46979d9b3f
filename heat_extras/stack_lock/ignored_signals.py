# SPDX-License-Identifier: Apache-2.0

"""Signals that a lock makes ineffective: counted, and told at unlock."""

import collections

from heat.db import api as db_api
from oslo_db import exception as db_exception
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.stack_lock import counters
from heat_extras.stack_lock import words

_ignored = models.ignored_signal_table

# How many resources the unlock event names one by one.
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
        # Another engine counted the first one at the same moment.
        raise db_exception.DBDeadlock() from error


def _count(session, stack_id, resource_id, resource_name):
    counters.add_ignored(session, stack_id)
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


def take_counts(session, stack_ids):
    """Read and remove the counts of the given stacks.

    :returns: the rows of :func:`select_counts`, in a list.
    """
    rows = list(session.execute(select_counts(stack_ids)))
    if rows:
        session.execute(sqlalchemy.delete(_ignored).where(
            _ignored.c.stack_id.in_(stack_ids)))
    return rows


def describe(counts, stacks):
    """Tell how many signals were ignored, and of which resources.

    :param stacks: the stacks of the tree by id.
    :returns: a sentence, or None when there were none.
    """
    return describe_named(counts, lambda stack_id: stacks[stack_id].name)


def describe_named(counts, name_of):
    """Describe as :func:`describe`.

    :param name_of: returns the name of a stack, by its id.
    """
    if not counts:
        return None
    named = collections.OrderedDict(
        (f'{row.resource_name} of stack {name_of(row.stack_id)}',
         row.count) for row in counts[:_NAMED])
    text = ', '.join(f'{name}: {count}' for name, count in named.items())
    more = len(counts) - len(named)
    return words.signals_ignored(sum(row.count for row in counts), text, more)
