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
from heat_extras.db import tree_queries
from heat_extras.stack_lock.resource_locks import resource_states

_protection = models.protection_table

_stack = heat_tables.stack

_tag = sqlalchemy.Table(
    'stack_tag', sqlalchemy.MetaData(),
    sqlalchemy.Column('stack_id', sqlalchemy.String(36)),
    sqlalchemy.Column('tag', sqlalchemy.Unicode(80)))

_resource = sqlalchemy.Table(
    'resource', sqlalchemy.MetaData(),
    sqlalchemy.Column('id', sqlalchemy.Integer, primary_key=True))

_guard = models.guard_table
_stack_columns = (_stack.c.id, _stack.c.name, _stack.c.tenant,
                  _stack.c.owner_id)
# After a lock pass, the lock does not cover the status of the stack.
_lock_columns = (
    _guard.c.level, _guard.c.rank, _guard.c.set_at,
    sql.func.coalesce(_guard.c.action, 'LOCK').label('action'),
    sql.func.coalesce(_guard.c.status, 'COMPLETE').label('status'))
_select_locks = sql.select(
    *_stack_columns, *_lock_columns, _guard.c.reason, _guard.c.set_by,
    _guard.c.engine_id, _guard.c.expires_at,
    _guard.c.id.label('lock_id')).join_from(
        _stack, _guard, _guard.c.id == _stack.c.lock_id)

# The columns that are set for a locked or protected stack, and all columns.
_IS_SET = {models.LOCK: ('lock_level', 'lock_passing'),
           models.DELETE_PROTECTION: ('delete_protection_id',)}
_COLUMNS = {models.LOCK: ('lock_level', 'lock_passing', 'lock_id'),
            models.DELETE_PROTECTION: ('delete_protection_id',
                                       'delete_intents')}

# Status reasons, which the users of a stack can read.
_RESET = 'Lock state reset by a cloud operator with heat-extras-manage'
_UNPROTECTED = ('Delete protection removed by a cloud operator with '
                'heat-extras-manage')


def list_locks(engine, nested=False, project=None):
    """List the locked stacks, oldest lock first.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param nested: whether to list also nested stacks.
    :param project: a project ID, to list only the stacks of this project.
    :returns: rows with columns of the stack table and the guard table, and
        the ID of the lock as ``lock_id``.
    """
    conditions = _lock_conditions()
    if not nested:
        conditions = (*conditions, _stack.c.owner_id.is_(None))
    return _list(engine, _select_locks.where(*conditions), project,
                 _guard.c.set_at)


def count_by_kind(engine):
    """Count the root stacks that are locked or protected, by kind.

    :returns: rows with ``kind``, ``level``, ``action`` and ``status`` of
        locks, ``rank``, the number of ``stacks``, and ``since``, the time of
        the oldest one.
    """
    # The columns of a delete protection are NULL, except for these.
    kind = [_guard.c.kind, *(column for column in _lock_columns
                             if column.name != 'set_at')]
    query = sql.select(
        *kind, sql.func.count().label('stacks'),
        sql.func.min(_guard.c.set_at).label('since')).join_from(
            _guard, _stack, _guard.c.stack_id == _stack.c.id).where(
                _stack.c.deleted_at.is_(None), sql.or_(
                    sql.and_(_guard.c.id == _stack.c.lock_id,
                             models.is_locked(_stack)),
                    _guard.c.id == _stack.c.delete_protection_id))
    with engine.connect() as connection:
        return connection.execute(query.group_by(*kind)).all()


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
                   row.state.in_(resource_states.KNOWN))
            .order_by(*order)).all()


def list_names(engine, kind):
    """List the stacks that are locked or protected, including nested stacks.

    It works also if some columns of heat-extras are missing, because
    db_downgrade needs it.

    :param kind: the kind of rows in the guard table.
    :returns: rows with ``id`` and ``name``.
    """
    columns = _existing_columns(engine, _IS_SET[kind])
    if not columns:
        return []
    with engine.connect() as connection:
        return connection.execute(
            sql.select(_stack.c.id, _stack.c.name)
            .where(_stack.c.deleted_at.is_(None), _is_any_set(columns))
            .order_by(_stack.c.name, _stack.c.id)).all()


def remove_all(engine, kind):
    """Remove every lock and lock state, or every delete protection.

    Resources that are protected at their service stay protected there.

    :param kind: the kind of rows in the guard table.
    """
    columns = _existing_columns(engine, _COLUMNS[kind])
    if columns:
        with engine.connect() as connection:
            ids = connection.scalars(sql.select(_stack.c.id).where(
                _is_any_set(columns)).order_by(_stack.c.id)).all()
        batches.write_in_batches(
            engine, ids, lambda batch: sql.update(_stack).where(
                _stack.c.id.in_(batch)).values(dict.fromkeys(columns)))
    if _guard.name not in schema_check.list_missing(engine):
        with engine.begin() as connection:
            connection.execute(sql.delete(_guard).where(
                _guard.c.kind == kind))


def _existing_columns(engine, names):
    missing = schema_check.list_missing(engine)
    return [_stack.c[name] for name in names if f'stack.{name}' not in missing]


def _is_any_set(columns):
    return sql.or_(*(column.is_not(None) for column in columns))


def count_passes(engine):
    """Count the lock passes.

    :returns: the number of passes that are not used yet, and the number of
        passes in use.
    """
    lock = _guard.c
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

    :returns: rows with columns of the stack table and the guard table, oldest
        protection first.
    """
    return _list(engine, _select_protections().where(
        *_protection_conditions()), project, _guard.c.set_at)


def _select_protections(*columns):
    return sql.select(
        *_stack_columns, _guard.c.rank, _guard.c.set_by, _guard.c.set_at,
        _guard.c.reason, *columns).outerjoin_from(
            _stack, _guard, _guard.c.id == _stack.c.delete_protection_id)


def list_tagged(engine, tags, project=None):
    """List the root stacks that have any of the tags, each once.

    :param tags: a list of tags. Of the tags of a stack, the first counts.
    :returns: rows like :func:`list_protected`, sorted by name.
    """
    query = _select_protections(_tag.c.tag).join(
        _tag, _tag.c.stack_id == _stack.c.id).where(
            _tag.c.tag.in_(list(tags)), _stack.c.owner_id.is_(None),
            _stack.c.deleted_at.is_(None))
    # For MySQL and MariaDB, "Keep" equals "keep".
    rows = list(_list(engine, query, project, _stack.c.name))
    first = {row.id: row for tag in reversed(tags) for row in rows
             if row.tag == tag}
    return sorted(first.values(), key=lambda row: row.name)


def count_failed_protections(engine):
    """Count the resources that a lock could not protect at their service.

    Their state is still ``locking``, although the lock is not in progress. See
    :mod:`heat_extras.stack_lock.resource_locks.resource_states`.
    """
    root = _stack.alias()
    query = (sql.select(sql.func.count()).select_from(_protection)
             .join(root, root.c.id == _protection.c.root_id)
             .where(_protection.c.state == 'locking',
                    root.c.deleted_at.is_(None),
                    sql.not_(sql.exists().where(
                        _guard.c.id == root.c.lock_id,
                        _guard.c.status == 'IN_PROGRESS'))))
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
    lock = _guard.c
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
    return (sql.select(sql.func.count()).select_from(_guard)
            .join(_stack, sql.and_(*models.lock_row_conditions(_stack)))
            .where(*_lock_conditions()))


def unprotect(engine, stack_id):
    """Remove the delete protection of a root stack, and write an event.

    :returns: whether the stack was protected.
    """
    with engine.begin() as connection:
        root = connection.execute(
            sql.select(_stack).where(_stack.c.id == stack_id,
                                     *_protection_conditions())
            .with_for_update()).first()
        if root is None:
            return False
        connection.execute(
            sql.update(_stack).where(_stack.c.id == stack_id)
            .values(delete_protection_id=None, delete_intents=None))
        connection.execute(sql.delete(_guard).where(
            _guard.c.id == root.delete_protection_id))
        # While an operation is in progress, COMPLETE would be its end.
        _add_event(connection, root, 'UNPROTECT', 'IN_PROGRESS'
                   if root.status == 'IN_PROGRESS' else 'COMPLETE',
                   _UNPROTECTED)
    return True


def reset_lock(engine, stack_id):
    """Change a lock that is stuck IN_PROGRESS to FAILED.

    The stacks stay locked. After that, the stack can be unlocked, locked
    again, or deleted.

    :param stack_id: the ID of the root stack.
    :returns: the number of stacks of the tree, or 0 without such a lock.
    """
    tree = tree_queries.select_subtree(_stack, _stack.c.id == stack_id,
                                       with_deleted=True)
    is_stuck = (_guard.c.kind == models.LOCK, _guard.c.stack_id == stack_id,
                _guard.c.status == 'IN_PROGRESS')
    with engine.begin() as connection:
        root = connection.execute(
            sql.select(_stack).where(_stack.c.id == stack_id)
            .with_for_update()).one()
        lock = connection.execute(sql.select(_guard).where(*is_stuck)).first()
        if lock is None:
            return 0
        connection.execute(
            sql.update(_guard).where(_guard.c.id == lock.id)
            .values(status='FAILED', status_reason=_RESET, engine_id=None))
        # The same events as after the failure of an engine.
        resource_events.fail_unfinished(
            connection, stack_id, (lock.action, lock.level) == ('LOCK', 'all'),
            _RESET)
        _add_event(connection, root, lock.action, 'FAILED', _RESET)
        return connection.scalar(
            sql.select(sql.func.count()).select_from(tree))


def _add_event(connection, root, action, status, reason):
    connection.execute(sql.insert(resource_events.table).values(
        resource_events.make_row(
            root.id, root.name, 'OS::Heat::Stack', root.id, action, status,
            reason)))


def _lock_conditions():
    return _stack.c.deleted_at.is_(None), models.is_locked(_stack)


def _protection_conditions():
    return (_stack.c.deleted_at.is_(None),
            _stack.c.delete_protection_id.is_not(None))
