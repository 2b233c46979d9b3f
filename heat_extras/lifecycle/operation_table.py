# SPDX-License-Identifier: Apache-2.0

"""The table of running operations, with one row for each operation.

The engine that ends an operation takes its row over by compare-and-swap, so
that only one engine makes the post calls. The row is deleted after the post
calls. If the engine dies before that, another engine finds the row.
"""

import dataclasses

from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import transactions

_table = models.operation_table
_stack = heat_models.Stack.__table__
_resource = heat_models.Resource.__table__
_snapshot = heat_models.Snapshot.__table__
_FIELDS = ('id', 'stack_id', 'action', 'traversal', 'engine_id', 'phase',
           'passed', 'is_failure', 'prior')

# Phases. PRE: the pre calls are in progress. ABORT: the operation does not
# start, and the plugins that allowed it are called. RUNNING: Heat works on it.
# POST: the post calls are in progress.
PRE, ABORT, RUNNING, POST = 'pre', 'abort', 'running', 'post'
# The operation did not start. The row has the state of the stack before.
DENIED = 'denied'

# Heat has not started the operation, so there is nothing to roll back.
NOT_BEGUN = (PRE, ABORT)


@dataclasses.dataclass(frozen=True)
class Operation:
    """One operation of one stack, from its pre calls to its post calls.

    :param id: the same ID in all pre and post calls.
    :param traversal: the traversal of the stack on the convergence engine, or
        None for an operation that runs in a thread of one engine.
    :param passed: names of the plugins that allowed it.
    :param prior: action and status of the stack before, or None if unknown.
    """

    id: str
    stack_id: str
    action: str
    traversal: str | None = None
    engine_id: str | None = None
    phase: str = PRE
    passed: tuple = ()
    is_failure: bool = False
    prior: tuple[str, str] | None = None

    @property
    def is_on_any_engine(self) -> bool:
        """Return whether Heat works on it, and any engine can end it."""
        return self.phase == RUNNING and self.traversal is not None


def _writer(context):
    return db_api.context_manager.writer.independent.using(context)


def _reader(context):
    return db_api.context_manager.reader.independent.using(context)


def _from_row(row):
    values = {name: getattr(row, name) for name in _FIELDS}
    return Operation(
        **{**values, 'passed': tuple(row.passed or ()),
           'is_failure': bool(row.is_failure),
           'prior': row.prior and tuple(row.prior)})


@transactions.on_db_error
def insert_row(context, operation):
    """Insert the row of an operation, before the first plugin is called."""
    with _writer(context) as session:
        session.execute(sqlalchemy.insert(_table).values(
            id=operation.id, stack_id=operation.stack_id,
            action=operation.action, traversal=operation.traversal,
            engine_id=operation.engine_id, phase=operation.phase,
            passed=list(operation.passed), is_failure=False,
            prior=operation.prior and list(operation.prior),
            started_at=timeutils.utcnow()))


@transactions.on_db_error
def update_row(context, operation_id, **values):
    """Update columns of a row.

    :returns: whether the row exists.
    """
    with _writer(context) as session:
        return bool(session.execute(
            sqlalchemy.update(_table).where(_table.c.id == operation_id)
            .values(**values)).rowcount)


@transactions.on_db_error
def set_passed(context, operation, names):
    """Record the plugins that have allowed an operation.

    :returns: False if another engine has taken the operation over. It makes
        the post calls of the plugins that were recorded before.
    """
    with _writer(context) as session:
        return bool(session.execute(
            sqlalchemy.update(_table)
            .where(_table.c.id == operation.id,
                   _table.c.phase == operation.phase,
                   _table.c.engine_id == operation.engine_id)
            .values(passed=list(names))).rowcount)


@transactions.on_db_error
def set_running(context, operation, traversal):
    """Record that Heat works on an operation.

    :param traversal: the traversal of the operation, or None for an operation
        that runs in a thread of one engine.
    :returns: False if the stack has another traversal, or if another engine
        has ended the operation.
    """
    # Also RUNNING, because this write can be a retry.
    change = sqlalchemy.update(_table).where(
        _table.c.id == operation.id,
        _table.c.engine_id == operation.engine_id,
        _table.c.phase.in_((operation.phase, RUNNING)))
    if traversal is not None:
        change = change.where(sqlalchemy.exists().where(
            _stack.c.id == operation.stack_id,
            _stack.c.current_traversal == traversal))
    with _writer(context) as session:
        changed = session.execute(change.values(
            phase=RUNNING, traversal=traversal,
            passed=list(operation.passed))).rowcount
        if changed and operation.prior:
            _delete_prior(session, operation)
    return bool(changed)


def _delete_prior(session, operation):
    # The prior states of other operations are not valid any more.
    others = (_table.c.stack_id == operation.stack_id,
              _table.c.id != operation.id)
    session.execute(sqlalchemy.delete(_table).where(
        *others, _table.c.phase == DENIED))
    session.execute(sqlalchemy.update(_table).where(*others)
                    .values(prior=None))


@transactions.on_db_error
def take_over(context, operation, engine_id, is_failure, phase):
    """Take over the post calls of an operation.

    :param operation: the operation as it was read or created.
    :param phase: the new phase.
    :returns: the operation with the new values, or None if another engine has
        taken it over.
    """
    with _writer(context) as session:
        changed = session.execute(
            sqlalchemy.update(_table)
            .where(_table.c.id == operation.id,
                   _table.c.phase == operation.phase,
                   _table.c.engine_id == operation.engine_id)
            .values(phase=phase, engine_id=engine_id,
                    is_failure=is_failure)).rowcount
        # A slow engine that was considered down may have added plugins.
        passed = changed and session.scalar(
            sqlalchemy.select(_table.c.passed)
            .where(_table.c.id == operation.id))
    if not changed:
        return None
    return dataclasses.replace(operation, phase=phase, engine_id=engine_id,
                               passed=tuple(passed or ()),
                               is_failure=is_failure)


@transactions.on_db_error
def delete_row(context, operation, engine_id):
    """Delete the row, unless another engine has taken it over.

    The row of an operation that did not start becomes DENIED if it has the
    state of the stack before.
    """
    own = (_table.c.id == operation.id, _table.c.engine_id == engine_id)
    is_over = sqlalchemy.or_(_table.c.prior.is_(None),
                             _table.c.phase.not_in((ABORT, DENIED)))
    with _writer(context) as session:
        if (session.execute(sqlalchemy.delete(_table).where(
                *own, is_over)).rowcount
                or not session.execute(sqlalchemy.update(_table).where(
                    *own).values(phase=DENIED)).rowcount):
            return
        session.execute(sqlalchemy.delete(_table).where(
            _table.c.stack_id == operation.stack_id,
            _table.c.id != operation.id, _table.c.phase == DENIED))


def find_operation(context, stack_id, traversal, phases=(RUNNING,)):
    """Find the operation of a stack with a traversal.

    :returns: the :class:`Operation`, or None.
    """
    with _reader(context) as session:
        row = session.execute(sqlalchemy.select(_table).where(
            _table.c.stack_id == stack_id,
            _table.c.traversal == traversal,
            _table.c.phase.in_(phases))).first()
    return row and _from_row(row)


def find_denied(context, stack):
    """Find the denied operation that a FAILED stack shows as its action.

    :param stack: a heat.engine.stack.Stack or its row.
    :returns: the :class:`Operation`, or None.
    """
    with _reader(context) as session:
        row = session.execute(sqlalchemy.select(_table).where(
            _table.c.stack_id == stack.id, _table.c.action == stack.action,
            _table.c.phase.in_((*NOT_BEGUN, DENIED)),
            _table.c.prior.is_not(None))).first()
    return row and _from_row(row)


def list_operations(context):
    """List the operations of all stacks, except denied operations."""
    with _reader(context) as session:
        return [_from_row(row) for row in session.execute(
            sqlalchemy.select(_table).where(_table.c.phase != DENIED)
            .order_by(_table.c.started_at))]


def list_working_engines(context, stack_id):
    """List the IDs of the engines that work on resources of a stack."""
    with _reader(context) as session:
        return set(session.scalars(
            sqlalchemy.select(_resource.c.engine_id).distinct().where(
                _resource.c.stack_id == stack_id,
                _resource.c.engine_id.is_not(None))))


@transactions.on_db_error
def fail_snapshots(context, stack_id, traversal, reason):
    """Mark the unfinished snapshots of an operation as FAILED.

    :param traversal: the traversal of the operation. In Heat 26 and 27, it is
        the ID of the snapshot. In Heat 24 and 25, a snapshot without data is
        unfinished.
    """
    # Not with heat.db.api.snapshot_update, which finds only snapshots of the
    # project of the context.
    with _writer(context) as session:
        unfinished = [row.id for row in session.execute(sqlalchemy.select(
            _snapshot.c.id, _snapshot.c.data).where(
                _snapshot.c.stack_id == stack_id,
                _snapshot.c.status == 'IN_PROGRESS'))
            if row.id == traversal or row.data is None]
        if unfinished:
            session.execute(sqlalchemy.update(_snapshot).where(
                _snapshot.c.id.in_(unfinished)).values(
                    status='FAILED', status_reason=reason))
