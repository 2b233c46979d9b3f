# SPDX-License-Identifier: Apache-2.0

"""The running operations in the database: one row each, gone afterwards.

The engine that ends an operation takes its row over by compare-and-swap, so
that only one engine makes the post calls. The row stays until these are made:
if the engine dies before that, another engine finds the row.
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

# The pre calls are made; the plugins that allowed it are called because it
# does not start; Heat works on it; the post calls are made.
PRE, ABORT, RUNNING, POST = 'pre', 'abort', 'running', 'post'
# It did not start, and the row only says what the stack was before.
DENIED = 'denied'

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
        changed = session.execute(change.values(
            phase=RUNNING, traversal=traversal,
            passed=list(operation.passed))).rowcount
        if changed and operation.prior:
            _delete_prior(session, operation)
    return bool(changed)


def _delete_prior(session, operation):
    # The stack is about to become something else.
    others = (_table.c.stack_id == operation.stack_id,
              _table.c.id != operation.id)
    session.execute(sqlalchemy.delete(_table).where(
        *others, _table.c.phase == DENIED))
    session.execute(sqlalchemy.update(_table).where(*others)
                    .values(prior=None))


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
        # A slow engine that was considered down may have added some.
        passed = changed and session.scalar(
            sqlalchemy.select(_table.c.passed)
            .where(_table.c.id == operation.id))
    if not changed:
        return None
    return dataclasses.replace(operation, phase=phase, engine_id=engine_id,
                               passed=tuple(passed or ()),
                               is_failure=is_failure)


@retries.on_db_error
def delete(context, operation, engine_id):
    """Delete the row, unless another engine has claimed it.

    The row of an operation that did not start is kept, as DENIED, if it has
    the state from before the operation.
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


def find_denied(context, stack):
    """Find the operation that a FAILED stack shows and that did not start.

    :param stack: a heat.engine.stack.Stack, or a row of one.
    :returns: the :class:`Operation`, or None.
    """
    with _reader(context) as session:
        row = session.execute(sqlalchemy.select(_table).where(
            _table.c.stack_id == stack.id, _table.c.action == stack.action,
            _table.c.phase.in_((*NOT_BEGUN, DENIED)),
            _table.c.prior.is_not(None))).first()
    return row and _from_row(row)


def list_all(context):
    """List the operations of all stacks that are not over."""
    with _reader(context) as session:
        return [_from_row(row) for row in session.execute(
            sqlalchemy.select(_table).where(_table.c.phase != DENIED)
            .order_by(_table.c.started_at))]


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
