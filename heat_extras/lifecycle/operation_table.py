# SPDX-License-Identifier: Apache-2.0

"""The running operations in the database: one row each, gone afterwards.

Whoever ends an operation claims its row by compare-and-swap, so that one
engine alone makes the post call. The row stays until that is done: when the
engine dies meanwhile, another one finds it.
"""

import dataclasses

from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_utils import timeutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import retries

_table = models.operation_table
_stack = heat_models.Stack.__table__
_resource = heat_models.Resource.__table__
_snapshot = heat_models.Snapshot.__table__
_FIELDS = ('id', 'stack_id', 'action', 'traversal', 'engine_id', 'phase',
           'passed', 'is_failure', 'prior')

# The plugins are asked; those who let it pass are told that it does not
# start; Heat is at work; the plugins are told of the end.
PRE, ABORT, RUNNING, POST = 'pre', 'abort', 'running', 'post'

# Heat has not begun, so there is nothing to roll back.
NOT_BEGUN = (PRE, ABORT)


@dataclasses.dataclass(frozen=True)
class Operation:
    """One operation of one stack, from its pre call to its post call.

    :param id: the same in the pre call and in every post call.
    :param traversal: of the stack, on the convergence engine; None for what
        runs in a thread of one engine.
    :param passed: names of the plugins that let it pass.
    :param prior: action and status of the stack before; None where it is
        not known.
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


@retries.on_db_error
def insert(context, operation):
    """Write the row of an operation before the first plugin is asked."""
    with _writer(context) as session:
        session.execute(sqlalchemy.insert(_table).values(
            id=operation.id, stack_id=operation.stack_id,
            action=operation.action, traversal=operation.traversal,
            engine_id=operation.engine_id, phase=operation.phase,
            passed=list(operation.passed), is_failure=False,
            prior=operation.prior and list(operation.prior),
            started_at=timeutils.utcnow()))


@retries.on_db_error
def change(context, operation_id, **values):
    """Change fields of a row.

    :returns: whether it is there.
    """
    with _writer(context) as session:
        return bool(session.execute(
            sqlalchemy.update(_table).where(_table.c.id == operation_id)
            .values(**values)).rowcount)


@retries.on_db_error
def set_passed(context, operation, names):
    """Note which plugins have let an operation pass so far.

    :returns: False when another engine has claimed it, which tells those
        that were noted before.
    """
    with _writer(context) as session:
        return bool(session.execute(
            sqlalchemy.update(_table)
            .where(_table.c.id == operation.id,
                   _table.c.phase == operation.phase,
                   _table.c.engine_id == operation.engine_id)
            .values(passed=list(names))).rowcount)


@retries.on_db_error
def set_running(context, operation, traversal):
    """Note that Heat works on an operation, under a traversal.

    :param traversal: None for what runs in a thread of one engine.
    :returns: False when that is not the stack's traversal any more, or
        another engine has ended the operation.
    """
    # RUNNING, too: what was done already, and is tried again.
    change = sqlalchemy.update(_table).where(
        _table.c.id == operation.id,
        _table.c.engine_id == operation.engine_id,
        _table.c.phase.in_((operation.phase, RUNNING)))
    if traversal is not None:
        change = change.where(sqlalchemy.exists().where(
            _stack.c.id == operation.stack_id,
            _stack.c.current_traversal == traversal))
    with _writer(context) as session:
        return bool(session.execute(change.values(
            phase=RUNNING, traversal=traversal,
            passed=list(operation.passed))).rowcount)


@retries.on_db_error
def take_over(context, operation, engine_id, is_failure, phase):
    """Take over the post call of an operation.

    :param operation: as it was read or begun.
    :param phase: the one that it comes to by that.
    :returns: the operation as it is now, or None when another engine was
        first.
    """
    with _writer(context) as session:
        changed = session.execute(
            sqlalchemy.update(_table)
            .where(_table.c.id == operation.id,
                   _table.c.phase == operation.phase,
                   _table.c.engine_id == operation.engine_id)
            .values(phase=phase, engine_id=engine_id,
                    is_failure=is_failure)).rowcount
        # Of a slow engine that was taken for dead more may have passed.
        passed = changed and session.scalar(
            sqlalchemy.select(_table.c.passed)
            .where(_table.c.id == operation.id))
    if not changed:
        return None
    return dataclasses.replace(operation, phase=phase, engine_id=engine_id,
                               passed=tuple(passed or ()),
                               is_failure=is_failure)


@retries.on_db_error
def delete(context, operation_id, engine_id):
    """Delete the row, unless another engine has claimed it."""
    with _writer(context) as session:
        session.execute(sqlalchemy.delete(_table).where(
            _table.c.id == operation_id, _table.c.engine_id == engine_id))


def find(context, stack_id, traversal, phases=(RUNNING,)):
    """Find the operation of a stack under a traversal.

    :returns: the :class:`Operation`, or None.
    """
    with _reader(context) as session:
        row = session.execute(sqlalchemy.select(_table).where(
            _table.c.stack_id == stack_id,
            _table.c.traversal == traversal,
            _table.c.phase.in_(phases))).first()
    return row and _from_row(row)


def list_all(context):
    """List the operations of all stacks."""
    with _reader(context) as session:
        return [_from_row(row) for row in session.execute(
            sqlalchemy.select(_table).order_by(_table.c.started_at))]


def engines_at_work(context, stack_id):
    """List the ids of the engines that work on resources of a stack."""
    with _reader(context) as session:
        return set(session.scalars(
            sqlalchemy.select(_resource.c.engine_id).distinct().where(
                _resource.c.stack_id == stack_id,
                _resource.c.engine_id.is_not(None))))


@retries.on_db_error
def fail_snapshots(context, stack_id, traversal, reason):
    """Mark the snapshots as FAILED that an operation of a stack has made.

    :param traversal: of the operation. Heat 26 and 27 name the snapshot by
        it. Those of Heat 24 and 25 have no data until they are complete.
    """
    # Not by heat.db.api.snapshot_update: that is for those of the context's
    # own project.
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
