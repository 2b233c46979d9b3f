# SPDX-License-Identifier: Apache-2.0

"""The rows of ``heat_extras_protection``: one for each resource of a lock.

A row has the ID of a row of Heat's table of resources. Only the engine of the
lock or unlock in progress writes rows. ``reset-lock`` supersedes its
operation. Other engines also supersede it if this engine has not reported for
too long. If a call of a service ends after that, the resource is changed to
the current state of the tree.
"""

import dataclasses
import time

from heat.common import context as heat_context
from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.db import connection_errors
from heat_extras.db import models
from heat_extras.db import resource_events
from heat_extras.db import transactions
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock import states

_table = models.protection_table
_stack = heat_models.Stack.__table__
_guard = models.guard_table

# Seconds between checks of a lock or unlock in progress, and the maximum wait
# for its end. After this, the current state of the tree counts.
_PAUSE = 1
_LONGEST_WAIT = 3600


class Superseded(Exception):
    """Another lock or unlock is in progress, or none."""


@dataclasses.dataclass(frozen=True)
class Token:
    """The lock or unlock in progress that this engine has started.

    :param operation_id: the ID in the result of the transaction that started
        it.
    :param has_credentials: whether services are called with the credentials
        of *context*, and not with the credentials that Heat stores for each
        stack.
    """

    context: heat_context.RequestContext
    root_id: str
    operation_id: str
    has_credentials: bool = True

    def check(self):
        """Check that the operation is still in progress.

        :raises Superseded: if it is not in progress.
        """
        if not self._is_valid():
            self._raise_superseded()

    # Wait for the database, because only this engine knows of a late call.
    @connection_errors.retry_until_available
    def is_superseded(self):
        """Return whether another request has ended the operation."""
        return not self._is_valid()

    def _is_valid(self):
        with db_api.context_manager.reader.independent.using(
                self.context) as session:
            return session.execute(
                sqlalchemy.select(_guard.c.id).where(*self._is_own())
            ).first() is not None

    def hold(self, session):
        """Keep the operation in progress until the transaction ends.

        :raises Superseded: if it is not in progress.
        """
        # Use a write, because a read can return an older row.
        if not session.execute(
                sqlalchemy.update(_guard).where(*self._is_own())
                .values(operation_id=self.operation_id)).rowcount:
            self._raise_superseded()

    def _is_own(self):
        return (_guard.c.stack_id == self.root_id,
                _guard.c.status == states.IN_PROGRESS,
                _guard.c.operation_id == self.operation_id)

    def _raise_superseded(self):
        raise Superseded(
            f'lock operation {self.operation_id} of stack {self.root_id} is '
            'no longer in progress: it was reset, or this engine was '
            'considered down')


def read_tree(context, root_id):
    """Read the rows of a tree.

    Each row also has ``lock_level``, ``lock_action`` and ``lock_status`` of
    its stack and lock.

    :returns: a dict from the ID of a resource to its row.
    """
    return _read_rows(context, _table.c.root_id == root_id)


def read_stacks(context, stack_ids):
    """Read the rows of some stacks, like :func:`read_tree`."""
    return _read_rows(context, _table.c.stack_id.in_(stack_ids))


def _read_rows(context, condition):
    query = sqlalchemy.select(
        _table, _stack.c.lock_level, sqlalchemy.func.coalesce(
            _guard.c.action, sqlalchemy.case(
                (models.shows_unlock(_stack), states.UNLOCK))).label(
                    'lock_action'),
        _guard.c.status.label('lock_status')).join(
            _stack, _stack.c.id == _table.c.stack_id).outerjoin(
                _guard, _guard.c.id == _stack.c.lock_id).where(condition)
    with db_api.context_manager.reader.independent.using(context) as session:
        return {row.resource_id: row for row in session.execute(query)}


def _change_state(session, root_id, from_states, **values):
    session.execute(
        sqlalchemy.update(_table)
        .where(_table.c.root_id == root_id, _table.c.state.in_(from_states))
        .values(**values, updated_at=timeutils.utcnow()))


def read_states(session, root_id):
    """Return the different states of the resources of a tree, as a set."""
    return set(session.scalars(sqlalchemy.select(_table.c.state).distinct()
                               .where(_table.c.root_id == root_id)))


@transactions.on_db_error
def replace_rows(token, results, events=(), deleted=()):
    """Replace the rows of some resources.

    :param token: a :class:`Token`.
    :param results: a dict from resource to (state, reason).
    :param events: rows of Heat's table of events to write.
    :param deleted: the IDs of resources whose rows to delete.
    :raises Superseded: without a write, if the token is no longer valid.
    """
    if not (results or events or deleted):
        return
    now = timeutils.utcnow()
    rows = [{'resource_id': resource.id, 'stack_id': resource.stack.id,
             'root_id': token.root_id, 'resource_name': resource.name,
             'resource_type': resource.type(),
             'physical_resource_id': resource.resource_id, 'state': state,
             'reason': charset.storable(reason), 'updated_at': now}
            for resource, (state, reason) in results.items()]
    with db_api.context_manager.writer.independent.using(
            token.context) as session:
        token.hold(session)
        session.execute(sqlalchemy.delete(_table).where(
            _table.c.resource_id.in_(
                [*(row['resource_id'] for row in rows), *deleted])))
        _insert(session, _table, rows)
        _insert(session, resource_events.table, events)


@transactions.on_db_error
def mark_releasing(token, events):
    """Record that the services are called to release the resources of a tree.

    :param events: as in :func:`replace_rows`.
    :raises Superseded: without a write, if the token is no longer valid.
    """
    with db_api.context_manager.writer.independent.using(
            token.context) as session:
        token.hold(session)
        _change_state(session, token.root_id, resource_states.OWN,
                      state=resource_states.LOCKING, reason=None)
        _insert(session, resource_events.table, events)


def _insert(session, table, rows):
    if rows:
        session.execute(sqlalchemy.insert(table), list(rows))


@transactions.on_db_error
def _claim_found(context, resource_id):
    """Record that the tree's lock owns a protection that it had found."""
    with db_api.context_manager.writer.independent.using(context) as session:
        session.execute(
            sqlalchemy.update(_table)
            .where(_table.c.resource_id == resource_id,
                   _table.c.state == resource_states.FOUND)
            .values(state=resource_states.PROTECTED, reason=None))


def mark_not_released(session, root_id):
    """Record that the resources of a tree stay protected after the unlock.

    Use the caller's transaction.
    """
    _change_state(session, root_id, resource_states.OWN,
                  state=resource_states.NOT_RELEASED)


def delete_tree(session, root_id, is_shown=False):
    """Delete the rows of a tree, in the caller's transaction.

    Rows of resources that were not released stay until the next lock or purge.

    :param is_shown: whether to also keep the rows of released resources.
    """
    kept = (resource_states.NOT_RELEASED,
            *[resource_states.RELEASED] * is_shown)
    session.execute(
        sqlalchemy.delete(_table).where(
            _table.c.root_id == root_id, _table.c.state.not_in(kept)))


@connection_errors.retry_until_available
def is_protection_wanted(token, resource_id, is_protected):
    """Return whether the current lock of a tree requires a protection.

    Wait for a lock or unlock in progress, because it can change the result.

    :param is_protected: whether a call of *token* has protected the resource.
        A lock that found it protected then owns this protection.
    """
    deadline = time.monotonic() + _LONGEST_WAIT
    while True:
        row = _read_state(token, resource_id)
        if row is None or row.lock_level != states.ALL:
            return False
        if (row.status != states.IN_PROGRESS
                or time.monotonic() > deadline):
            break
        time.sleep(_PAUSE)
    if is_protected and row.state == resource_states.FOUND:
        _claim_found(token.context, resource_id)
        return True
    # A failed unlock does not change it, and the next unlock releases it.
    return row.state in resource_states.OWN and (
        is_protected or row.action == states.LOCK)


def _read_state(token, resource_id):
    with db_api.context_manager.reader.independent.using(
            token.context) as session:
        return session.execute(
            sqlalchemy.select(_stack.c.lock_level, _guard.c.action,
                              _guard.c.status, _table.c.state)
            .outerjoin_from(_stack, _guard, _guard.c.id == _stack.c.lock_id)
            .outerjoin(_table, _table.c.resource_id == resource_id)
            .where(_stack.c.id == token.root_id,
                   _stack.c.deleted_at.is_(None))).first()
