# SPDX-License-Identifier: Apache-2.0

"""The columns of a stack that say what its templates guard.

Plain SQL that imports nothing of Heat, as :mod:`heat_extras.db.lock_admin`: an
engine keeps them right also while their features are off, when nothing is
mapped on Heat's classes.
"""

import json

import sqlalchemy
from sqlalchemy import sql

from heat_extras.db import models
from heat_extras.db import stack_tree

POLICY, UPDATABLE = 'has_update_policy', 'updatable'

_stack = sqlalchemy.Table(
    'stack', sqlalchemy.MetaData(),
    sqlalchemy.Column('id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('name', sqlalchemy.String(255)),
    sqlalchemy.Column('owner_id', sqlalchemy.String(36)),
    sqlalchemy.Column('raw_template_id', sqlalchemy.Integer),
    sqlalchemy.Column('backup', sqlalchemy.Boolean),
    sqlalchemy.Column('deleted_at', sqlalchemy.DateTime),
    *models.stack_columns())

_template = sqlalchemy.Table(
    'raw_template', sqlalchemy.MetaData(),
    sqlalchemy.Column('id', sqlalchemy.Integer, primary_key=True),
    sqlalchemy.Column('template', sqlalchemy.Text))

# As JSON has the words; inside of a string the quotes would be escaped.
_NOT_UPDATABLE, _ALLOW = '"updatable": false', '"allow": '

#: By the name of the feature: which stacks it would guard. The columns come
#: first, so that only templates of such stacks are read.
_GUARDED = {
    'parameters': (_stack.c.updatable.is_not(None),
                   _template.c.template.contains(_NOT_UPDATABLE)),
    'update_policy': (_stack.c.has_update_policy.is_(True),
                      _template.c.template.contains(_ALLOW)),
    # Either holds a whole tree, and is told once.
    'stack_lock': (sql.or_(models.held(_stack),
                           _stack.c.delete_protection_id.is_not(None)),
                   _stack.c.owner_id.is_(None)),
}
FEATURES = tuple(_GUARDED)


def is_there(connection):
    """Return whether the database has these columns."""
    found = {column['name'] for column
             in sqlalchemy.inspect(connection).get_columns('stack')}
    return {POLICY, UPDATABLE, 'lock_level', 'lock_passing',
            'delete_protection_id'} <= found


def count(connection, feature):
    """Count the stacks that a feature guards, or would if it were on."""
    return connection.scalar(_guarded(feature, sql.func.count()))


def some(connection, feature, most):
    """Name the first of them, as rows with ``id`` and ``name``."""
    return connection.execute(
        _guarded(feature, _stack.c.id, _stack.c.name)
        .order_by(_stack.c.name, _stack.c.id).limit(most)).all()


def _guarded(feature, *what):
    # A stack of before an update is kept as a backup below it.
    return sql.select(*what).select_from(_stack.outerjoin(
        _template, _template.c.id == _stack.c.raw_template_id)).where(
            _stack.c.deleted_at.is_(None), _stack.c.backup.is_not(True),
            *_GUARDED[feature])


def count_templates(connection):
    """Count the stored templates that have our words, stack or no stack.

    Reads them all: for a database in which there is no column to ask.
    """
    return connection.scalar(
        sql.select(sql.func.count()).select_from(_template).where(sql.or_(
            _template.c.template.contains(_NOT_UPDATABLE),
            _template.c.template.contains(_ALLOW))))


def mark(connection, stack_id):
    """Tell the stacks around a stack, and in it, of an ``allow`` in it."""
    write_policy(connection, _around_ids(connection, stack_id)
                 | inside_ids(connection, stack_id), True)


def write_policy(connection, ids, found):
    """Write whether there is an ``allow`` near some stacks."""
    connection.execute(sql.update(_stack).where(_stack.c.id.in_(ids))
                       .values({POLICY: found}))


def write_updatable(connection, stack_id, read):
    """Write what the stored template of a stack says of its parameters.

    :param read: makes what the column holds from a parsed template.
    """
    stored = connection.scalar(
        sql.select(_template.c.template).select_from(_template.join(
            _stack, _stack.c.raw_template_id == _template.c.id))
        .where(_stack.c.id == stack_id))
    connection.execute(
        sql.update(_stack).where(_stack.c.id == stack_id)
        .values({UPDATABLE: read(json.loads(stored or 'null'))}))


def inside_ids(connection, stack_id):
    """Return the ids of a stack and of those nested in it."""
    tree = stack_tree.inside(_stack, _stack.c.id == stack_id)
    return set(connection.scalars(sql.select(tree.c.id)))


def root_id(connection, stack_id):
    """Return the id of the root of a stack's tree."""
    return connection.scalar(stack_tree.root(_stack, stack_id))


def _around_ids(connection, stack_id):
    tree = stack_tree.around(_stack, stack_id)
    return set(connection.scalars(sql.select(tree.c.id)))
