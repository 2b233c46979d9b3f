# SPDX-License-Identifier: Apache-2.0

"""Stacks that are not guarded while a feature is disabled.

It is plain SQL and does not import Heat, like
:mod:`heat_extras.db.operator_locks`: an engine calls it before it serves
requests, with a connection of its own.
"""

import datetime
import json

from oslo_db import api as oslo_db_api
from oslo_db import exception as db_exception
from sqlalchemy import sql

from heat_extras.db import batches
from heat_extras.db import db_time
from heat_extras.db import heat_tables
from heat_extras.db import live_engines
from heat_extras.db import models
from heat_extras.db import schema_check
from heat_extras.db import tree_queries
from heat_extras.parameters import rules

_stack = heat_tables.stack

_template = heat_tables.raw_template

_guard, _engine = models.guard_table, models.engine_table
# These columns can be shown in place of the status of the stack.
_OVERLAY_COLUMNS = ('action', 'status', 'status_reason')

# The attributes in JSON. Inside of a string, the quotes would be escaped.
_NOT_UPDATABLE, _ALLOW = '"updatable": false', '"allow": '
_IMMUTABLE = '"immutable": '

PARAMETERS, POLICY, LOCK = 'parameters', 'update_policy', 'stack_lock'

# From the name of a feature to the condition of stacks that it guards. Locks
# and delete protections are for a whole tree, so only roots count.
_GUARDED = {
    PARAMETERS: (_template.c.template.contains(_NOT_UPDATABLE),),
    POLICY: (_template.c.template.contains(_ALLOW),),
    LOCK: (sql.or_(models.is_locked(_stack),
                   _stack.c.delete_protection_id.is_not(None)),
           _stack.c.owner_id.is_(None)),
}
FEATURES = tuple(_GUARDED)
# The same for stacks that are known from their columns, so that only their
# templates are read.
_KNOWN_BY_COLUMNS = {
    PARAMETERS: (_stack.c.updatable.is_not(None),),
    POLICY: (_stack.c.has_update_policy.is_(True),),
    LOCK: (),
}

_NAMES = {PARAMETERS: '{} with "updatable: false"',
          POLICY: '{} with "update_policy.allow"',
          LOCK: 'locked or protected {}'}

# A starting engine is not in the list of live engines before its first report.
_UNTIL_REPORT = datetime.timedelta(minutes=5)

_PASS_REASON = 'The stack was changed while stack_lock was disabled'

_retry = oslo_db_api.wrap_db_retry(
    max_retries=5, retry_on_deadlock=True, exception_checker=lambda error:
    isinstance(error, db_exception.DBDuplicateEntry))


def count_stacks(connection, feature, only=()):
    """Count the stacks that a feature guards, or would guard if enabled.

    :param only: additional conditions. Without conditions, all templates are
        read.
    """
    return connection.scalar(
        _select_guarded(feature, sql.func.count()).where(*only))


def list_first_stacks(connection, feature, most):
    """List the first stacks of :func:`count_stacks`.

    :param most: the maximum number of stacks.
    :returns: rows with ``id`` and ``name``.
    """
    return connection.execute(
        _select_guarded(feature, _stack.c.id, _stack.c.name)
        .order_by(_stack.c.name, _stack.c.id).limit(most)).all()


def _select_guarded(feature, *columns):
    # Backup stacks of the legacy engine do not count.
    return _select_with_template(*columns).where(
        _stack.c.deleted_at.is_(None), _stack.c.backup.is_not(True),
        *_GUARDED[feature])


def count_templates(connection):
    """Count the stored templates with ``updatable: false`` or ``allow``.

    It reads all templates, also those without a stack. Use it for a database
    without the columns of heat-extras.
    """
    return connection.scalar(
        sql.select(sql.func.count()).select_from(_template).where(sql.or_(
            _template.c.template.contains(_NOT_UPDATABLE),
            _template.c.template.contains(_ALLOW))))


def describe(counts):
    """Return a text with the number of stacks that features would guard.

    :param counts: from the name of a feature to the number of stacks.
    """
    return ', '.join(
        f'{count} ' + _NAMES[feature].format(
            'stack' if count == 1 else 'stacks')
        for feature, count in counts.items() if count)


def record_start(engine, names):
    """Record that an engine starts without some features.

    While ``update_policy`` is disabled, the flags ``has_update_policy`` are
    not maintained. The same is true for ``parameters`` and ``updatable``.

    :param names: the features that are enabled.
    :returns: a dict from each disabled feature to the number of stacks that
        it would guard. Stacks count only if the feature was enabled before.
    """
    if schema_check.list_missing(engine):
        return {}
    for feature, mark in live_engines.MARKS.items():
        if feature not in names:
            _write_mark(engine, mark)
    with engine.connect() as connection:
        return {feature: count_stacks(connection, feature,
                                      _KNOWN_BY_COLUMNS[feature])
                for feature in FEATURES if feature not in names}


@_retry
def _write_mark(engine, mark):
    values = {'updated_at': db_time.now()}
    with engine.begin() as connection:
        if not connection.execute(sql.update(_engine).where(
                _engine.c.engine_id == mark).values(values)).rowcount:
            connection.execute(sql.insert(_engine).values(
                engine_id=mark, **values))


def restore_enabled(engine, names):
    """Make up for the work that was not done while a feature was disabled.

    An engine calls it at each start, before it serves requests.

    :param names: the features that are enabled.
    """
    if LOCK in names:
        with engine.connect() as connection:
            roots = list_changed_roots(connection)
        for root in roots:
            _start_relock(engine, root.id)
    for feature, restore in ((PARAMETERS, _renew_updatable),
                             (POLICY, _forget_policy_flags)):
        if feature in names:
            _restore_if_marked(engine, feature, restore)


def list_changed_roots(connection):
    """List the locked roots whose tree was changed by an engine without locks.

    In a locked tree, no stack is IN_PROGRESS, and each stack is locked. The
    status of backup stacks of the legacy engine does not count.

    :returns: rows with ``id`` and ``name``, sorted by name.
    """
    tree = tree_queries.select_subtree(
        _stack, _stack.c.id.in_(sql.select(_guard.c.stack_id).where(
            _guard.c.kind == models.LOCK)))
    changed = connection.scalars(
        sql.select(_stack.c.id).where(
            _stack.c.id.in_(sql.select(tree.c.id)),
            sql.or_(sql.not_(models.is_locked(_stack)),
                    sql.and_(_stack.c.status == 'IN_PROGRESS',
                             _stack.c.backup.is_not(True))))).all()
    roots = {connection.scalar(tree_queries.select_root_id(_stack, stack_id))
             for stack_id in changed}
    return connection.execute(
        _select_locked(_stack.c.id, _stack.c.name)
        .where(_stack.c.id.in_(roots))
        .order_by(_stack.c.name, _stack.c.id)).all()


def _select_locked(*columns):
    return sql.select(*columns).join_from(
        _stack, _guard, _guard.c.id == _stack.c.lock_id).where(
            _stack.c.lock_level.is_not(None), _stack.c.deleted_at.is_(None),
            _guard.c.status.is_distinct_from('IN_PROGRESS'))


@_retry
def _start_relock(engine, root_id):
    # As while an update uses a lock pass: the whole tree is locked, and when
    # no operation is in progress, stack_lock.pass_use locks it again.
    with engine.begin() as connection:
        root = connection.execute(
            _select_locked(_stack, _guard.c.status.label('lock_status'))
            .where(_stack.c.id == root_id).with_for_update()).first()
        if root is None:
            return
        tree = tree_queries.select_subtree(_stack, _stack.c.id == root_id)
        ids = connection.scalars(sql.select(tree.c.id)).all()
        connection.execute(
            sql.update(_stack).where(_stack.c.id.in_(ids))
            .values(lock_id=root.lock_id, lock_level=None,
                    lock_passing=root.lock_level))
        used = dict.fromkeys(
            column.name for column in _guard.c
            if column.name.startswith('pass_'))
        if root.lock_status != 'FAILED':
            # As after a grant, so that Heat's own status is shown.
            used.update(dict.fromkeys(_OVERLAY_COLUMNS))
        now = db_time.read_time(connection)
        connection.execute(
            sql.update(_guard).where(_guard.c.id == root.lock_id)
            .values({**used, 'pass_reason': _PASS_REASON,
                     'pass_granted_at': now, 'pass_expires_at': now,
                     'pass_used_at': now}))


def _restore_if_marked(engine, feature, restore):
    is_mark = _engine.c.engine_id == live_engines.MARKS[feature]
    with engine.connect() as connection:
        mark = connection.execute(
            sql.select(_engine.c.updated_at).where(is_mark)).first()
        if mark is None:
            return
        is_over = (
            mark.updated_at < db_time.read_time(connection) - _UNTIL_REPORT
            and all(live_engines.has_feature(row, feature)
                    for row in live_engines.read_live(connection)))
    restore(engine)
    if is_over:
        with engine.begin() as connection:
            connection.execute(sql.delete(_engine).where(
                is_mark, _engine.c.updated_at == mark.updated_at))


def _forget_policy_flags(engine):
    # The next update of a tree reads its templates.
    with engine.connect() as connection:
        ids = connection.scalars(sql.select(_stack.c.id).where(
            _stack.c.has_update_policy.is_(False))).all()
    _retry(batches.write_in_batches)(
        engine, ids, lambda batch: sql.update(_stack).where(
            _stack.c.id.in_(batch)).values(has_update_policy=None))


def _renew_updatable(engine):
    # Lists of stacks and guards read the column, and no template.
    is_suspect = sql.or_(
        _stack.c.updatable.is_not(None),
        *map(_template.c.template.contains, (_NOT_UPDATABLE, _IMMUTABLE)))
    with engine.connect() as connection:
        ids = connection.scalars(
            _select_with_template(_stack.c.id)
            .where(_stack.c.deleted_at.is_(None), is_suspect)).all()
    for batch in batches.split_keys(ids):
        _renew_batch(engine, batch)


@_retry
def _renew_batch(engine, ids):
    with engine.begin() as connection:
        for row in connection.execute(_select_with_template(
                _stack.c.id, _stack.c.raw_template_id, _stack.c.updatable,
                _template.c.template).where(_stack.c.id.in_(ids))).all():
            not_updatable = rules.list_not_updatable(
                json.loads(row.template or '{}'))
            if not_updatable != row.updatable:
                # A later update has another template.
                connection.execute(sql.update(_stack).where(
                    _stack.c.id == row.id,
                    _stack.c.raw_template_id == row.raw_template_id).values(
                        updatable=not_updatable))


def _select_with_template(*columns):
    return sql.select(*columns).select_from(_stack.outerjoin(
        _template, _template.c.id == _stack.c.raw_template_id))
