# SPDX-License-Identifier: Apache-2.0

"""The locks in Heat's database, as an operator sees and removes them.

Plain SQL that imports nothing of Heat: it must also work where no engine
starts.
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

_protection = models.protection_table

_stack = heat_tables.stack

_tag = sqlalchemy.Table(
    'stack_tag', sqlalchemy.MetaData(),
    sqlalchemy.Column('stack_id', sqlalchemy.String(36)),
    sqlalchemy.Column('tag', sqlalchemy.Unicode(80)))

# Of a lock: its level also while a pass is used, and the state of one that
# does not cover the stack's own, since it had a pass.
_TOLD = {'lock_level': _stack.c.lock_passing,
         'lock_action': sql.literal('LOCK'),
         'lock_status': sql.literal('COMPLETE')}
_SHOWN = [sql.func.coalesce(column, _TOLD[column.name]).label(column.name)
          if column.name in _TOLD else column for column in _stack.c]

# For the users of a stack.
_RESET = 'Lock state manually reset'


def list_locks(engine, nested=False, project=None):
    """List the stacks that a lock holds, root stacks only unless told.

    :param engine: a :class:`sqlalchemy.engine.Engine`.
    :param nested: whether to list nested stacks too.
    :param project: only the stacks of this project id.
    :returns: rows with the columns of the stack table, and the end that the
        register has for that id, ``expires_at``; oldest lock first.
    """
    which = _locked()
    if not nested:
        which = (*which, _stack.c.owner_id.is_(None))
    entry = models.lock_table.c
    query = sql.select(*_SHOWN, entry.expires_at).select_from(
        _stack.outerjoin(models.lock_table, entry.id == _stack.c.lock_id))
    return _list(engine, query.where(*which), project, _stack.c.locked_at)


def kinds(engine):
    """Count the root stacks that are locked, or protected from deletion.

    Of each kind: a cloud has many stacks, and few kinds. Heat's table, which
    has no index for it, is read through once.

    :returns: rows with ``lock_level``, None where no lock holds them, and of
        the lock ``lock_action``, ``lock_status``, ``lock_rank``;
        ``protection_rank``, None where they are not protected; how many
        (``stacks``), and since when the oldest lock holds (``since``).
    """
    found = sql.select(
        *(column for column in _SHOWN if column.name in (
            'lock_level', 'lock_action', 'lock_status', 'lock_rank',
            'locked_at')),
        sql.case((_stack.c.delete_protection_id.is_not(None),
                  _stack.c.delete_protection_rank)).label('protection_rank')
    ).where(_stack.c.deleted_at.is_(None), _stack.c.owner_id.is_(None),
            sql.or_(models.held(_stack),
                    _stack.c.delete_protection_id.is_not(None))).subquery()
    kind = [column for column in found.c if column.name != 'locked_at']
    with engine.connect() as connection:
        return connection.execute(sql.select(
            *kind, sql.func.count().label('stacks'),
            sql.func.min(found.c.locked_at).label('since'))
            .group_by(*kind)).all()


def _list(engine, query, project, since):
    if project:
        query = query.where(_stack.c.tenant == project)
    query = query.order_by(since, _stack.c.name, _stack.c.id)
    with engine.connect() as connection:
        return connection.execute(query).all()


def list_not_released(engine, project=None):
    """List the root stacks with resources that an unlock could not release.

    :param project: only the stacks of this project id.
    :returns: rows with the columns of the stack table, by name.
    """
    has_some = sql.exists().where(_protection.c.root_id == _stack.c.id,
                                  _protection.c.state == 'not_released')
    return _list(engine, sql.select(_stack).where(
        _stack.c.deleted_at.is_(None), has_some), project, _stack.c.name)


def names(engine):
    """List the locked stacks, nested ones included.

    One column of ours is enough: db_downgrade has to work where others are
    missing.

    :returns: rows with ``id`` and ``name``.
    """
    missing = schema_check.missing(engine)
    columns = [column for column in (_stack.c.lock_level,
                                     _stack.c.lock_passing)
               if f'stack.{column.name}' not in missing]
    return _names(engine, (
        _stack.c.deleted_at.is_(None),
        sql.or_(*(column.is_not(None) for column in columns)),
    ) if columns else None)


def _names(engine, which):
    if which is None:
        return []
    with engine.connect() as connection:
        return connection.execute(
            sql.select(_stack.c.id, _stack.c.name).where(*which)
            .order_by(_stack.c.name, _stack.c.id)).all()


def passes(engine):
    """Count the passes through locks.

    :returns: those that nobody has used yet, and those that are being used.
    """
    entry = models.lock_table.c
    is_used = entry.pass_used_at.is_not(None)
    with engine.connect() as connection:
        return tuple(
            connection.scalar(_entries_in_force().where(*which)) for which in (
                (sql.not_(is_used), entry.pass_expires_at > db_time.now()),
                (is_used,)))


def list_protected(engine, project=None):
    """List the root stacks that are protected from deletion.

    Not by a tag: see :func:`list_tagged`.

    :returns: rows with the columns of the stack table, oldest first.
    """
    return _list(engine, sql.select(_stack).where(*_protected()), project,
                 _stack.c.delete_protected_at)


def list_tagged(engine, tag, project=None):
    """List the root stacks that have a tag.

    :returns: rows with the columns of the stack table, by name, each once.
    """
    query = sql.select(_stack, _tag.c.tag).join(
        _tag, _tag.c.stack_id == _stack.c.id).where(
            _tag.c.tag == tag, _stack.c.owner_id.is_(None),
            _stack.c.deleted_at.is_(None))
    # To MySQL and MariaDB "Keep" is the same as "keep".
    return list({row.id: row for row in _list(
        engine, query, project, _stack.c.name) if row.tag == tag}.values())


def protected_names(engine):
    """List the stacks that are protected from deletion, as :func:`names`."""
    is_there = ('stack.delete_protection_id'
                not in schema_check.missing(engine))
    return _names(engine, _protected() if is_there else None)


def failed_protections(engine):
    """Count the resources that a lock could not protect at their service.

    Their rows say that the service is still being asked, see
    :mod:`heat_extras.stack_lock.resource_locks.states`; that is over where the
    lock is not in progress.
    """
    root = _stack.alias()
    query = (sql.select(sql.func.count()).select_from(_protection)
             .join(root, root.c.id == _protection.c.root_id)
             .where(_protection.c.state == 'locking',
                    root.c.deleted_at.is_(None),
                    root.c.lock_status != 'IN_PROGRESS'))
    with engine.connect() as connection:
        return connection.scalar(query)


def ends(engine, within, late):
    """Count the locks that end soon, and those that have outlived their end.

    By the clock of the database. The latter are those that an engine has
    tried to lift, or that none has for too long.

    :param within: how many seconds are soon.
    :param late: how many seconds are too long.
    :returns: the two numbers.
    """
    entry = models.lock_table.c
    has_come = entry.expires_at <= db_time.now()
    with engine.connect() as connection:
        now = db_time.read(connection)
        soon = now + datetime.timedelta(seconds=within)
        over = now - datetime.timedelta(seconds=late)
        return tuple(
            connection.scalar(_entries_in_force().where(*which)) for which in (
                (sql.not_(has_come), entry.expires_at <= soon),
                # The end of an update with a pass is waited for.
                (has_come, _stack.c.lock_passing.is_(None),
                 sql.or_(entry.unlock_attempts > 0,
                         entry.expires_at <= over))))


def _entries_in_force():
    return (sql.select(sql.func.count()).select_from(models.lock_table)
            .join(_stack, sql.and_(*models.entered(_stack)))
            .where(*_locked()))


def unlock_all(engine):
    """Lift every lock in the database, and forget every lock state.

    Physical resources are not reached: what a service was told to protect
    stays protected there.

    :returns: how many stacks were locked, nested ones included.
    """
    locked = len(names(engine))
    _empty(engine, 'lock', models.lock_table)
    return locked


def unprotect_all(engine):
    """Lift every protection from deletion in the database."""
    _empty(engine, 'delete_protect')


def _empty(engine, prefix, *tables):
    missing = schema_check.missing(engine)
    columns = [_stack.c[column.name] for column in models.stack_columns()
               if column.name.startswith(prefix)
               and f'stack.{column.name}' not in missing]
    if columns:
        batches.write(
            engine, _ids(engine, columns),
            lambda ids: sql.update(_stack).where(_stack.c.id.in_(ids))
            .values(dict.fromkeys(columns)))
    with engine.begin() as connection:
        for table in tables:
            if table.name not in missing:
                connection.execute(sql.delete(table))


def _ids(engine, columns):
    """List the stacks that have something in one of some columns."""
    with engine.connect() as connection:
        return connection.scalars(
            sql.select(_stack.c.id).where(sql.or_(*(
                column.is_not(None) for column in columns)))
            .order_by(_stack.c.id)).all()


def reset(engine, stack_id):
    """Turn a lock that is stuck IN_PROGRESS into a failed one.

    The stacks stay locked: a failed lock can be lifted, tried again, or the
    stack deleted.

    :param stack_id: the id of the root stack.
    :returns: how many stacks of the tree were changed.
    """
    tree = stack_tree.inside(_stack, _stack.c.id == stack_id,
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
            _tell_of_reset(connection, stack_id)
    return changed


def _tell_of_reset(connection, stack_id):
    # As an engine does that finds another one dead: users look there.
    root = connection.execute(
        sql.select(_stack).where(_stack.c.id == stack_id)).one()
    resource_events.fail_unfinished(connection, root, _RESET)
    connection.execute(sql.insert(resource_events.table).values(
        resource_events.row(
            root.id, root.name, 'OS::Heat::Stack', root.id,
            root.lock_action, 'FAILED', _RESET)))


def _locked():
    return _stack.c.deleted_at.is_(None), models.held(_stack)


def _protected():
    return (_stack.c.deleted_at.is_(None),
            _stack.c.delete_protection_id.is_not(None))
