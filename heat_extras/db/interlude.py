# SPDX-License-Identifier: Apache-2.0

"""What locks look like after the feature was off for a while, and on again.

Engines without it neither lock a nested stack that comes below a locked one,
nor do they take UNLOCK_COMPLETE back when an operation begins, and they begin
operations on locked stacks, which engines with it do not go on with.

Plain SQL that imports nothing of Heat, as :mod:`heat_extras.db.lock_admin`.
"""

import sqlalchemy
from sqlalchemy import sql

from heat_extras.db import models

_stack = sqlalchemy.Table(
    'stack', sqlalchemy.MetaData(),
    sqlalchemy.Column('id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('name', sqlalchemy.String(255)),
    sqlalchemy.Column('owner_id', sqlalchemy.String(36)),
    sqlalchemy.Column('status', sqlalchemy.String(255)),
    sqlalchemy.Column('backup', sqlalchemy.Boolean),
    sqlalchemy.Column('deleted_at', sqlalchemy.DateTime),
    *models.stack_columns())

_event = sqlalchemy.Table(
    'event', sqlalchemy.MetaData(),
    sqlalchemy.Column('stack_id', sqlalchemy.String(36)),
    sqlalchemy.Column('physical_resource_id', sqlalchemy.String(255)),
    sqlalchemy.Column('resource_action', sqlalchemy.String(255)),
    sqlalchemy.Column('created_at', sqlalchemy.DateTime))

# Events of the stack itself that tell of none.
_NO_OPERATIONS = ('LOCK', 'UNLOCK', 'PROTECT', 'UNPROTECT')


def half_locked(connection):
    """List the free stacks right below a locked one.

    :param connection: or a session.
    :returns: rows with ``id``, ``name`` and ``owner_id``.
    """
    owner = _stack.alias('owner')
    return connection.execute(
        sql.select(_stack.c.id, _stack.c.name, _stack.c.owner_id)
        .join(owner, owner.c.id == _stack.c.owner_id)
        .where(owner.c.lock_level.is_not(None), owner.c.deleted_at.is_(None),
               _stack.c.lock_level.is_(None), _stack.c.deleted_at.is_(None))
        .order_by(_stack.c.name, _stack.c.id)).all()


def cut_off(connection):
    """List the locked stacks that are IN_PROGRESS themselves.

    A lock waits until nothing is, and then lets nothing begin. What the legacy
    engine keeps beside a stack in an update is no stack with a status.

    :param connection: or a session.
    :returns: rows with ``id`` and ``name``.
    """
    return connection.execute(
        sql.select(_stack.c.id, _stack.c.name)
        .where(_stack.c.lock_level.is_not(None),
               _stack.c.status == 'IN_PROGRESS',
               _stack.c.backup.is_not(sqlalchemy.true()),
               _stack.c.deleted_at.is_(None))
        .order_by(_stack.c.name, _stack.c.id)).all()


def outlived(connection):
    """List the stacks that show UNLOCK_COMPLETE after a later operation.

    Each operation writes an event of the stack itself. Not the ids tell which
    came first: nodes of a Galera cluster each have numbers of their own.

    :param connection: or a session.
    :returns: rows with ``id`` and ``name``.
    """
    return connection.execute(
        sql.select(_stack.c.id, _stack.c.name)
        .where(_stack.c.lock_action == 'UNLOCK', _stack.c.deleted_at.is_(None),
               _stack.c.lock_level.is_(None), _has_later_event())
        .order_by(_stack.c.name, _stack.c.id)).all()


def _has_later_event():
    own = (_event.c.stack_id == _stack.c.id,
           _event.c.physical_resource_id == _stack.c.id)
    unlocked_at = (
        sql.select(sql.func.max(_event.c.created_at))
        .where(*own, _event.c.resource_action == 'UNLOCK')
        .correlate(_stack).scalar_subquery())
    later = _event.alias('later')
    return (sql.select(later.c.stack_id)
            .where(later.c.stack_id == _stack.c.id,
                   later.c.physical_resource_id == _stack.c.id,
                   later.c.resource_action.not_in(_NO_OPERATIONS),
                   later.c.created_at > unlocked_at)
            .correlate(_stack).exists())
