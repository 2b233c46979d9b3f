# SPDX-License-Identifier: Apache-2.0

"""List and remove the locks in Heat's database, for operators.

It is plain SQL and does not import Heat, because it must work also if no
engine starts.
"""

import datetime

import sqlalchemy
from sqlalchemy import sql

from heat_extras.db import batches
from heat_extras.db import db_time
from heat_extras.db import heat_tables
from heat_extras.db import models
from heat_extras.db import resource_events
from heat_extras.db import schema_check
from heat_extras.db import stack_tree
from heat_extras.stack_lock.resource_locks import protection_states

_protection = models.protection_table

_stack = heat_tables.stack

_tag = sqlalchemy.Table(
    'stack_tag', sqlalchemy.MetaData(),
    sqlalchemy.Column('stack_id', sqlalchemy.String(36)),
    sqlalchemy.Column('tag', sqlalchemy.Unicode(80)))

_resource = sqlalchemy.Table(
    'resource', sqlalchemy.MetaData(),
    sqlalchemy.Column('id', sqlalchemy.Integer, primary_key=True))

# While a lock pass is used, the level of the lock is in lock_passing. After a
# pass, the lock does not cover the status of the stack.
_DURING_PASS = {'lock_level': _stack.c.lock_passing,
                'lock_action': sql.literal('LOCK'),
                'lock_status': sql.literal('COMPLETE')}
_COLUMNS = [
    sql.func.coalesce(column, _DURING_PASS[column.name]).label(column.name)
    if column.name in _DURING_PASS else column for column in _stack.c]

# Status reasons, which the users of a stack can read.
_RESET = 'Lock state reset by a cloud operator with heat-extras-manage'
_UNPROTECTED = ('Delete protection removed by a cloud operator with '
                'heat-extras-manage')


def list_locks(engine, nested=False, project=None):
    """List the locked stacks, oldest lock first.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param nested: whether to list also nested stacks.
    :param project: a project ID, to list only the stacks of this project.
    :returns: rows with the columns of the stack table, and ``expires_at`` of
        the lock table.
    """
    conditions = _lock_conditions()
    if not nested:
        conditions = (*conditions, _stack.c.owner_id.is_(None))
    lock = models.lock_table.c
    query = sql.select(*_COLUMNS, lock.expires_at).select_from(
        _stack.outerjoin(models.lock_table, lock.id == _stack.c.lock_id))
    return _list(engine, query.where(*conditions), project, _stack.c.locked_at)


def count_by_kind(engine):
    """Count the root stacks that are locked or protected, by kind.

    It reads Heat's stack table once, without an index.

    :returns: rows with ``lock_level`` (None if not locked), ``lock_action``,
        ``lock_status``, ``lock_rank``, ``protection_rank`` (None if not
        protected), the number of ``stacks``, and ``since``, the time of the
        oldest lock.
    """
    guarded = sql.select(
        *(column for column in _COLUMNS if column.name in (
            'lock_level', 'lock_action', 'lock_status', 'lock_rank',
            'locked_at')),
        sql.case((_stack.c.delete_protection_id.is_not(None),
                  _stack.c.delete_protection_rank)).label('protection_rank')
    ).where(_stack.c.deleted_at.is_(None), _stack.c.owner_id.is_(None),
            sql.or_(models.is_locked(_stack),
                    _stack.c.delete_protection_id.is_not(None))).subquery()
    kind = [column for column in guarded.c if column.name != 'locked_at']
    with engine.connect() as connection:
        return connection.execute(sql.select(
            *kind, sql.func.count().label('stacks'),
            sql.func.min(guarded.c.locked_at).label('since'))
            .group_by(*kind)).all()


def _list(engine, query, project, since):
    if project:
        query = query.where(_stack.c.tenant == project)
    query = query.order_by(since, _stack.c.name, _stack.c.id)
    with engine.connect() as connection:
        return connection.execute(query).all()


def list_not_released(engine, project=None):
    """List the root stacks with resources that an unlock could not release.

    :param project: a project ID, to list only the stacks of this project.
    :returns: rows with the columns of the stack table, sorted by name.
    """
    has_some = sql.exists().where(_protection.c.root_id == _stack.c.id,
                                  _protection.c.state == 'not_released')
    return _list(engine, sql.select(_stack).where(
        _stack.c.deleted_at.is_(None), has_some), project, _stack.c.name)


def list_protected_resources(engine):
    """List the resources that a lock protects in other services.

    This includes resources that an unlock could not release. It works also if
    the table is missing, because db_downgrade needs it.

    :returns: tuples of project, stack name, stack ID, resource name, type and
        physical ID, by stack and resource.
    """
    if _protection.name in schema_check.list_missing(engine):
        return []
    row = _protection.c
    is_left = sql.exists().where(_resource.c.id == row.resource_id)
    order = (_stack.c.name, row.stack_id, row.resource_name, row.resource_id)
    with engine.connect() as connection:
        return connection.execute(
            sql.select(_stack.c.tenant, _stack.c.name, row.stack_id,
                       row.resource_name, row.resource_type,
                       row.physical_resource_id)
            .join(_stack, _stack.c.id == row.stack_id)
            .where(_stack.c.deleted_at.is_(None), is_left,
                   row.state.in_(protection_states.KNOWN))
            .order_by(*order)).all()


def list_locked_names(engine):
    """List the locked stacks, including nested stacks.

    It works also if some columns of heat-extras are missing, because
    db_downgrade needs it.

    :returns: rows with ``id`` and ``name``.
    """
    missing = schema_check.list_missing(engine)
    columns = [column for column in (_stack.c.lock_level,
                                     _stack.c.lock_passing)
               if f'stack.{column.name}' not in missing]
    return _list_names(engine, (
        _stack.c.deleted_at.is_(None),
        sql.or_(*(column.is_not(None) for column in columns)),
    ) if columns else None)


def _list_names(engine, conditions):
    if conditions is None:
        return []
    with engine.connect() as connection:
        return connection.execute(
            sql.select(_stack.c.id, _stack.c.name).where(*conditions)
            .order_by(_stack.c.name, _stack.c.id)).all()


def count_passes(engine):
    """Count the lock passes.

    :returns: the number of passes that are not used yet, and the number of
        passes in use.
    """
    lock = models.lock_table.c
    is_used = lock.pass_used_at.is_not(None)
    with engine.connect() as connection:
        return tuple(
            connection.scalar(_count_locks().where(*conditions))
            for conditions in (
                (sql.not_(is_used), lock.pass_expires_at > db_time.now()),
                (is_used,)))


def list_protected(engine, project=None):
    """List the root stacks that are protected from deletion.

    :func:`list_tagged` lists stacks that are protected by a tag.

    :returns: rows with the columns of the stack table, oldest protection
        first.
    """
    return _list(engine, sql.select(_stack).where(*_protection_conditions()),
                 project, _stack.c.delete_protected_at)


def list_tagged(engine, tag, project=None):
    """List the root stacks that have a tag, each once.

    :returns: rows with the columns of the stack table, sorted by name.
    """
    query = sql.select(_stack, _tag.c.tag).join(
        _tag, _tag.c.stack_id == _stack.c.id).where(
            _tag.c.tag == tag, _stack.c.owner_id.is_(None),
            _stack.c.deleted_at.is_(None))
    # For MySQL and MariaDB, "Keep" equals "keep".
    return list({row.id: row for row in _list(
        engine, query, project, _stack.c.name) if row.tag == tag}.values())


def list_protected_names(engine):
    """List the stacks that are protected from deletion.

    :returns: rows with ``id`` and ``name``.
    """
    has_column = ('stack.delete_protection_id'
                  not in schema_check.list_missing(engine))
    return _list_names(engine,
                       _protection_conditions() if has_column else None)


def count_failed_protections(engine):
    """Count the resources that a lock could not protect at their service.

    Their state is still ``locking``, although the lock is not in progress. See
    :mod:`heat_extras.stack_lock.resource_locks.protection_states`.
    """
    root = _stack.alias()
    query = (sql.select(sql.func.count()).select_from(_protection)
             .join(root, root.c.id == _protection.c.root_id)
             .where(_protection.c.state == 'locking',
                    root.c.deleted_at.is_(None),
                    root.c.lock_status != 'IN_PROGRESS'))
    with engine.connect() as connection:
        return connection.scalar(query)


def count_expirations(engine, within, late):
    """Count the locks that expire soon, and the overdue locks.

    The clock of the database is used. A lock is overdue if an engine failed
    to unlock it, or if it expired too long ago.

    :param within: the number of seconds that is soon.
    :param late: the number of seconds that is too long ago.
    :returns: the two numbers.
    """
    lock = models.lock_table.c
    is_expired = lock.expires_at <= db_time.now()
    with engine.connect() as connection:
        now = db_time.read_time(connection)
        soon = now + datetime.timedelta(seconds=within)
        overdue = now - datetime.timedelta(seconds=late)
        return tuple(
            connection.scalar(_count_locks().where(*conditions))
            for conditions in (
                (sql.not_(is_expired), lock.expires_at <= soon),
                # An update with a lock pass delays the unlock.
                (is_expired, _stack.c.lock_passing.is_(None),
                 sql.or_(lock.unlock_attempts > 0,
                         lock.expires_at <= overdue))))


def _count_locks():
    return (sql.select(sql.func.count()).select_from(models.lock_table)
            .join(_stack, sql.and_(*models.lock_row_conditions(_stack)))
            .where(*_lock_conditions()))


def unlock_all(engine):
    """Remove every lock and lock state from the database.

    Resources that are protected at their service stay protected there.

    :returns: the number of stacks that were locked, including nested stacks.
    """
    locked = len(list_locked_names(engine))
    _clear_columns(engine, 'lock', models.lock_table)
    return locked


def unprotect_all(engine):
    """Remove every delete protection from the database."""
    _clear_columns(engine, 'delete_protect')


def _clear_columns(engine, prefix, *tables):
    missing = schema_check.list_missing(engine)
    columns = [_stack.c[column.name] for column in models.stack_columns()
               if column.name.startswith(prefix)
               and f'stack.{column.name}' not in missing]
    if columns:
        batches.write_in_batches(
            engine, _list_ids(engine, columns),
            lambda ids: sql.update(_stack).where(_stack.c.id.in_(ids))
            .values(dict.fromkeys(columns)))
    with engine.begin() as connection:
        for table in tables:
            if table.name not in missing:
                connection.execute(sql.delete(table))


def _list_ids(engine, columns):
    """List the stacks in which one of some columns is not NULL."""
    with engine.connect() as connection:
        return connection.scalars(
            sql.select(_stack.c.id).where(sql.or_(*(
                column.is_not(None) for column in columns)))
            .order_by(_stack.c.id)).all()


def unprotect(engine, stack_id):
    """Remove the delete protection of a root stack, and write an event.

    :returns: whether the stack was protected.
    """
    values = {column.name: None for column in models.stack_columns()
              if column.name.startswith('delete_protect')}
    with engine.begin() as connection:
        root = connection.execute(
            sql.select(_stack).where(_stack.c.id == stack_id,
                                     *_protection_conditions())
            .with_for_update()).first()
        if root is None:
            return False
        connection.execute(sql.update(_stack).where(
            _stack.c.id == stack_id).values(values))
        # While an operation is in progress, COMPLETE would be its end.
        status = 'IN_PROGRESS' if root.status == 'IN_PROGRESS' else 'COMPLETE'
        connection.execute(sql.insert(resource_events.table).values(
            resource_events.make_row(
                root.id, root.name, 'OS::Heat::Stack', root.id, 'UNPROTECT',
                status, _UNPROTECTED)))
    return True


def reset_lock(engine, stack_id):
    """Change a lock that is stuck IN_PROGRESS to FAILED.

    The stacks stay locked. After that, the stack can be unlocked, locked
    again, or deleted.

    :param stack_id: the ID of the root stack.
    :returns: the number of stacks of the tree that were changed.
    """
    tree = stack_tree.select_subtree(_stack, _stack.c.id == stack_id,
                                     with_deleted=True)
    with engine.begin() as connection:
        ids = connection.scalars(sql.select(tree.c.id)).all()
        changed = connection.execute(
            sql.update(_stack)
            .where(_stack.c.id.in_(ids),
                   _stack.c.lock_status == 'IN_PROGRESS')
            .values(lock_status='FAILED', lock_status_reason=_RESET,
                    lock_engine_id=None)).rowcount
        if changed:
            _add_reset_events(connection, stack_id)
    return changed


def _add_reset_events(connection, stack_id):
    # The same events as after the failure of an engine.
    root = connection.execute(
        sql.select(_stack).where(_stack.c.id == stack_id)).one()
    resource_events.fail_unfinished(connection, root, _RESET)
    connection.execute(sql.insert(resource_events.table).values(
        resource_events.make_row(
            root.id, root.name, 'OS::Heat::Stack', root.id,
            root.lock_action, 'FAILED', _RESET)))


def _lock_conditions():
    return _stack.c.deleted_at.is_(None), models.is_locked(_stack)


def _protection_conditions():
    return (_stack.c.deleted_at.is_(None),
            _stack.c.delete_protection_id.is_not(None))
