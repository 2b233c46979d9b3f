# SPDX-License-Identifier: Apache-2.0

"""What was planned for which resource, in the database.

Engines plan at the same time: whoever writes a plan that others' plans were
not considered in is told to plan again.
"""

import hashlib

from heat.db import api as db_api
from oslo_db import exception as db_exception
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import retries

_table = models.placement_table
_operations = models.operation_table
_LAST = {'stack_id': '', 'resource_digest': '', 'operation_id': '',
         'resource_name': '', 'root_id': '', 'group_name': '',
         'resource_type': ''}


def _digest(name):
    return hashlib.sha256(
        name.encode(errors='surrogatepass')).hexdigest()


def _writer(context):
    return db_api.context_manager.writer.independent.using(context)


@retries.on_db_error
def everything(context):
    """Read all plans.

    :returns: what to give to :func:`write`, and the rows.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = session.execute(sqlalchemy.select(_table)).fetchall()
    last = [row.rack for row in rows if not row.stack_id]
    if last:
        return last[0], [row for row in rows if row.stack_id]
    _begin(context)
    return everything(context)


def _begin(context):
    try:
        with _writer(context) as session:
            session.execute(sqlalchemy.insert(_table).values(
                rack=uuidutils.generate_uuid(), **_LAST))
    except db_exception.DBDuplicateEntry:
        # Another engine was faster.
        return


@retries.on_db_error
def write(context, last, rows):
    """Add rows, if no plan was written since all were read.

    :param last: from :func:`everything`.
    :param rows: a list of dicts.
    :returns: whether they were added.
    """
    with _writer(context) as session:
        is_ours = session.execute(
            sqlalchemy.update(_table)
            .where(_table.c.stack_id == '', _table.c.rack == last)
            .values(rack=uuidutils.generate_uuid())).rowcount
        if is_ours:
            session.execute(sqlalchemy.insert(_table), [
                {'resource_digest': _digest(row['resource_name']), **row}
                for row in rows])
    return bool(is_ours)


@retries.on_db_error
def release(context, stack_id, operation_id):
    """Forget what was planned for an operation of a stack.

    And what a plan that came too late left behind.
    """
    with _writer(context) as session:
        session.execute(sqlalchemy.delete(_table).where(
            _table.c.stack_id == stack_id, sqlalchemy.or_(
                _table.c.operation_id == operation_id, _is_over())))


@retries.on_db_error
def drop(context, stack_id):
    """Forget all that was planned for a stack."""
    with _writer(context) as session:
        session.execute(sqlalchemy.delete(_table).where(
            _table.c.stack_id == stack_id))


@retries.on_db_error
def keep(context, stack_id, operation_id, names):
    """Make the plan of an operation that of its stack.

    :param names: of the resources that have a place; others give it up.
    """
    mine = _table.c.stack_id == stack_id
    with _writer(context) as session:
        planned = session.execute(sqlalchemy.select(
            _table.c.resource_digest).where(
                mine, _table.c.operation_id == operation_id)).scalars().all()
        session.execute(sqlalchemy.delete(_table).where(mine, sqlalchemy.or_(
            _is_over(operation_id), sqlalchemy.and_(
                _table.c.operation_id == '', sqlalchemy.or_(
                    _table.c.resource_digest.not_in(
                        [_digest(name) for name in names]),
                    _table.c.resource_digest.in_(planned))))))
        session.execute(sqlalchemy.update(_table).where(
            mine, _table.c.operation_id == operation_id).values(
                operation_id=''))


def _is_over(but=None):
    # Of one that runs, a newer update for example that took over while the
    # plugins of this one were still asked, the plan stays.
    return sqlalchemy.and_(
        _table.c.operation_id.not_in(['', but or '']),
        sqlalchemy.not_(sqlalchemy.exists().where(
            _operations.c.id == _table.c.operation_id)))
