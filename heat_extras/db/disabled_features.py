# SPDX-License-Identifier: Apache-2.0

"""What disabled features leave unguarded, and what their return restores.

Plain SQL that imports nothing of Heat, as :mod:`heat_extras.db.lock_admin`:
an engine comes here before it serves, and with a connection of its own.
"""

import datetime

from oslo_db import api as oslo_db_api
from oslo_db import exception as db_exception
from sqlalchemy import sql

from heat_extras.db import batches
from heat_extras.db import db_time
from heat_extras.db import heat_tables
from heat_extras.db import live_engines
from heat_extras.db import models
from heat_extras.db import schema_check
from heat_extras.db import stack_tree

_stack = heat_tables.stack

_template = heat_tables.raw_template

_lock, _engine = models.lock_table, models.engine_table
# The columns that all stacks of a locked tree have in common.
_OF_LOCK = tuple(column.name for column in models.stack_columns()
                 if column.name.startswith('lock'))

# What may be shown over the stack's own status.
_SHOWN = ('lock_action', 'lock_status', 'lock_status_reason')

# As JSON has the words; inside of a string the quotes would be escaped.
_NOT_UPDATABLE, _ALLOW = '"updatable": false', '"allow": '

PARAMETERS, POLICY, LOCK = 'parameters', 'update_policy', 'stack_lock'

# By the name of the feature: which stacks it would guard. Either lock is of a
# whole tree, and counts once.
_GUARDED = {
    PARAMETERS: (_template.c.template.contains(_NOT_UPDATABLE),),
    POLICY: (_template.c.template.contains(_ALLOW),),
    LOCK: (sql.or_(models.held(_stack),
                   _stack.c.delete_protection_id.is_not(None)),
           _stack.c.owner_id.is_(None)),
}
FEATURES = tuple(_GUARDED)
# Those of which the columns say so: their templates alone are read.
_KNOWN = {
    PARAMETERS: (_stack.c.updatable.is_not(None),),
    POLICY: (_stack.c.has_update_policy.is_(True),),
    LOCK: (),
}

_NAMES = {PARAMETERS: '{} with "updatable: false"',
          POLICY: '{} with "update_policy.allow"',
          LOCK: 'locked or protected {}'}

_IS_MARK = _engine.c.engine_id == live_engines.WITHOUT_POLICY
# An engine that starts is not among the live ones before its first report.
_UNTIL_REPORT = datetime.timedelta(minutes=5)

_PASS_REASON = 'The stack was changed while stack_lock was disabled'

_again = oslo_db_api.wrap_db_retry(
    max_retries=5, retry_on_deadlock=True, exception_checker=lambda error:
    isinstance(error, db_exception.DBDuplicateEntry))


def count(connection, feature, only=()):
    """Count the stacks that a feature guards, or would if it were enabled.

    :param only: further conditions; all templates are read without one.
    """
    return connection.scalar(
        _guarded(feature, sql.func.count()).where(*only))


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


def describe(counts):
    """Describe how many stacks features would guard.

    :param counts: by the name of the feature.
    """
    return ', '.join(
        f'{found} ' + _NAMES[feature].format(
            'stack' if found == 1 else 'stacks')
        for feature, found in counts.items() if found)


def record(engine, names):
    """Record that an engine starts with some features, and without others.

    What templates say of update_policy meanwhile is in no summary.

    :returns: how many stacks the others would guard, by feature, as far as
        they have been enabled before.
    """
    if schema_check.missing(engine):
        return {}
    if POLICY not in names:
        _mark(engine)
    with engine.connect() as connection:
        return {feature: count(connection, feature, _KNOWN[feature])
                for feature in FEATURES if feature not in names}


@_again
def _mark(engine):
    values = {'updated_at': db_time.now()}
    with engine.begin() as connection:
        if not connection.execute(sql.update(_engine).where(
                _IS_MARK).values(values)).rowcount:
            connection.execute(sql.insert(_engine).values(
                engine_id=live_engines.WITHOUT_POLICY, **values))


def restore(engine, names):
    """Restore what an engine without some features left out.

    An engine calls this each time it starts, before it serves.

    :param names: of the features that it starts with.
    """
    if LOCK in names:
        with engine.connect() as connection:
            found = changed_trees(connection)
        for root in found:
            _let_finish(engine, root.id)
    if POLICY in names:
        _forget_summaries(engine)


def changed_trees(connection):
    """List the locked roots whose tree was changed by an engine without locks.

    Nothing in a locked tree is IN_PROGRESS, and each stack is locked. What the
    legacy engine keeps beside a stack in an update has no status of its own.

    :returns: rows with ``id`` and ``name``, by name.
    """
    tree = stack_tree.inside(
        _stack, _stack.c.id.in_(sql.select(_lock.c.stack_id)))
    changed = connection.scalars(
        sql.select(_stack.c.id).where(
            _stack.c.id.in_(sql.select(tree.c.id)),
            sql.or_(sql.not_(models.held(_stack)),
                    sql.and_(_stack.c.status == 'IN_PROGRESS',
                             _stack.c.backup.is_not(True))))).all()
    roots = {connection.scalar(stack_tree.root(_stack, id)) for id in changed}
    return connection.execute(
        sql.select(_stack.c.id, _stack.c.name)
        .where(_stack.c.id.in_(roots), *_in_effect())
        .order_by(_stack.c.name, _stack.c.id)).all()


def _in_effect():
    return (_stack.c.lock_level.is_not(None), _stack.c.deleted_at.is_(None),
            _stack.c.lock_status.is_distinct_from('IN_PROGRESS'))


@_again
def _let_finish(engine, root_id):
    # As if an update used a pass: the whole tree is locked, and once nothing
    # runs in it, stack_lock.lock_pass.recall fences it with its lock.
    with engine.begin() as connection:
        root = connection.execute(
            sql.select(_stack).where(_stack.c.id == root_id, *_in_effect())
            .with_for_update()).first()
        if root is None:
            return
        tree = stack_tree.inside(_stack, _stack.c.id == root_id)
        ids = connection.scalars(sql.select(tree.c.id)).all()
        lock = {name: getattr(root, name) for name in _OF_LOCK}
        if root.lock_status != 'FAILED':
            # As after a grant: Heat looks for its own status of the stack.
            lock.update(dict.fromkeys(_SHOWN))
        connection.execute(
            sql.update(_stack).where(_stack.c.id.in_(ids))
            .values({**lock, 'lock_level': None,
                     'lock_passing': root.lock_level}))
        used = dict.fromkeys(
            column.name for column in _lock.c
            if column.name.startswith('pass_'))
        now = db_time.read(connection)
        connection.execute(
            sql.update(_lock).where(_lock.c.id == root.lock_id)
            .values({**used, 'pass_reason': _PASS_REASON,
                     'pass_granted_at': now, 'pass_expires_at': now,
                     'pass_used_at': now}))


def _forget_summaries(engine):
    # The next update of a tree reads its templates.
    with engine.connect() as connection:
        mark = connection.execute(
            sql.select(_engine.c.updated_at).where(_IS_MARK)).first()
        if mark is None:
            return
        ids = connection.scalars(sql.select(_stack.c.id).where(
            _stack.c.has_update_policy.is_(False))).all()
        is_over = (
            mark.updated_at < db_time.read(connection) - _UNTIL_REPORT
            and all(live_engines.carries(row, POLICY)
                    for row in live_engines.read_live(connection)))
    _again(batches.write)(
        engine, ids, lambda some: sql.update(_stack).where(
            _stack.c.id.in_(some)).values(has_update_policy=None))
    if is_over:
        with engine.begin() as connection:
            connection.execute(sql.delete(_engine).where(
                _IS_MARK, _engine.c.updated_at == mark.updated_at))
