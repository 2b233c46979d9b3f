# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Extends :mod:`heat.db.api`: writes that a lock must stop.

The predicate is part of Heat's own UPDATE, so it costs no statement.
"""

import contextlib
import contextvars

from heat.db import models
import sqlalchemy
from sqlalchemy import orm

from heat_extras import patching
from heat_extras.stack_lock import exception
from heat_extras.stack_lock import lock as locks

_WHY = 'Heat has no hook in its database layer'
# What UNLOCK_COMPLETE leaves behind until the next operation.
_NOTHING_SHOWN = {'lock_action': None, 'lock_status': None,
                  'lock_status_reason': None}

_only_unlocked = contextvars.ContextVar('heat_extras_only_unlocked',
                                        default=False)


@contextlib.contextmanager
def only_unlocked():
    """Let bulk updates of stacks meet unlocked rows only."""
    token = _only_unlocked.set(True)
    try:
        yield
    finally:
        _only_unlocked.reset(token)


def add_predicate(execution):
    """Narrow an UPDATE of ``stack``; a listener of SQLAlchemy's sessions."""
    if (execution.is_update and _only_unlocked.get()
            and execution.bind_mapper is models.Stack.__mapper__):
        execution.statement = execution.statement.where(
            models.Stack.lock_level.is_(None))


def start():
    """Listen to the sessions; twice is the same as once."""
    if not sqlalchemy.event.contains(orm.Session, 'do_orm_execute',
                                     add_predicate):
        sqlalchemy.event.listen(orm.Session, 'do_orm_execute', add_predicate)


def stop():
    """Stop listening."""
    if sqlalchemy.event.contains(orm.Session, 'do_orm_execute',
                                 add_predicate):
        sqlalchemy.event.remove(orm.Session, 'do_orm_execute', add_predicate)


@patching.wrap('(context, stack_id, values, exp_trvsl=None)', why=_WHY)
def stack_update(original, context, stack_id, values, exp_trvsl=None):
    if values.get('status') == 'IN_PROGRESS':
        # An operation begins: UNLOCK_COMPLETE has been shown long enough.
        values = {**values, **_NOTHING_SHOWN}
    with only_unlocked():
        return original(context, stack_id, values, exp_trvsl=exp_trvsl)


@patching.wrap('(context, values)', why=_WHY)
def stack_create(original, context, values):
    if values.get('owner_id') is None:
        return original(context, values)
    with _writer().using(context) as session:
        _check_owner(context, session, values)
        return original(context, values)


def _writer():
    from heat.db import api
    return api.context_manager.writer


def _check_owner(context, session, values):
    # Holds the parent's row until the child is there: either the lock's
    # transaction sees the child, or this one sees the lock.
    parent = models.Stack.__table__
    row = session.execute(
        sqlalchemy.select(parent)
        .where(parent.c.id == values['owner_id'])
        .with_for_update(read=True)).first()
    if row is not None and row.lock_level is not None:
        raise exception.StackLocked(
            message=locks.Lock.from_row(row).describe(
                row.name, row.id, context.project_id))
