# SPDX-License-Identifier: Apache-2.0

"""The columns and tables of heat-extras in Heat's database.

The module does not import Heat, so that migrations and tools can use it
without an engine. :mod:`heat_extras.db.stack_columns` adds the columns to
Heat's mapped classes.

No key contains a name that users choose: by default, MySQL and MariaDB ignore
case, accents and trailing spaces when they compare texts.
"""

import typing

from oslo_serialization import jsonutils
import sqlalchemy
from sqlalchemy.dialects import mysql
from sqlalchemy import types

metadata = sqlalchemy.MetaData()

# SQLAlchemy reads one or the other, depending on the URL of the connection.
_INNODB = {'mysql_engine': 'InnoDB', 'mariadb_engine': 'InnoDB'}


class Json(types.TypeDecorator):
    """A JSON document in a text column, which is LONGTEXT on MySQL."""

    impl = types.Text
    cache_ok = True

    def load_dialect_impl(self, dialect):
        if dialect.name in ('mysql', 'mariadb'):
            return dialect.type_descriptor(mysql.LONGTEXT())
        return self.impl

    def process_bind_param(self, value, dialect):
        return None if value is None else jsonutils.dumps(value)

    def process_result_value(self, value, dialect):
        return None if value is None else jsonutils.loads(value)


def stack_columns():
    """Make the columns that heat-extras adds to Heat's ``stack`` table.

    All columns are nullable without a default, so that adding them is
    instant.

    :returns: a list of new, unattached :class:`sqlalchemy.Column`.
    """
    return [
        # 'stacks', 'all', or NULL (not locked). Writers check this column.
        sqlalchemy.Column('lock_level', sqlalchemy.String(16)),
        # The level while a lock pass is used. lock_level is then NULL. The
        # whole tree is still locked, and its lock allows one update.
        sqlalchemy.Column('lock_passing', sqlalchemy.String(16)),
        # The row in the guard table. All stacks of a tree have the same ID.
        # Each lock has a new ID. Extending a lock does not change its ID.
        # Without a level, there is no row: the stack shows UNLOCK_COMPLETE.
        sqlalchemy.Column('lock_id', sqlalchemy.String(36)),
        # The parameters that are not updatable in the last applied template:
        # {"key_name": false}.
        sqlalchemy.Column('updatable', Json),
        # Whether a template of the stack, of a stack nested in it or of a
        # stack around it has or had an update_policy.allow. NULL: unknown.
        sqlalchemy.Column('has_update_policy', sqlalchemy.Boolean),
        # For a root with delete protection, the row in the guard table, with a
        # new ID each time the protection is set. Deletions check this column.
        sqlalchemy.Column('delete_protection_id', sqlalchemy.String(36)),
        # For a root, the deletions that are about to stop the operations in
        # its tree. stack_lock/delete_protection/delete_intent.py writes them.
        sqlalchemy.Column('delete_intents', sqlalchemy.Text),
    ]


class Columns(typing.NamedTuple):
    """The columns that are loaded with a stack.

    Without a row in the database, each is None. Deletions read the remaining
    column with queries of their own.
    """

    lock_level: str | None = None
    lock_passing: str | None = None
    lock_id: str | None = None
    updatable: dict | None = None
    has_update_policy: bool | None = None
    delete_protection_id: str | None = None


engine_table = sqlalchemy.Table(
    'heat_extras_engine', metadata,
    sqlalchemy.Column('engine_id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('host', sqlalchemy.String(255)),
    sqlalchemy.Column('hostname', sqlalchemy.String(255)),
    sqlalchemy.Column('version', sqlalchemy.String(64)),
    sqlalchemy.Column('heat_version', sqlalchemy.String(64)),
    sqlalchemy.Column('features', Json),
    sqlalchemy.Column('created_at', sqlalchemy.DateTime),
    sqlalchemy.Column('updated_at', sqlalchemy.DateTime),
    **_INNODB,
)
"""The engines that run with heat-extras. Each engine reports itself.

There is also a row for each feature of live_engines.MARKS from the start of an
engine without the feature until all engines have the feature again.
"""

freezes_table = sqlalchemy.Table(
    'heat_extras_freezes', metadata,
    sqlalchemy.Column('engine_id', sqlalchemy.String(36), primary_key=True),
    # The digest of the file in effect, and of a file with errors.
    sqlalchemy.Column('digest', sqlalchemy.String(64)),
    sqlalchemy.Column('refused', sqlalchemy.String(64)),
    **_INNODB,
)
"""The ``[heat_extras] freezes_file`` that is in effect in each engine."""

#: The kinds of rows in the guard table.
LOCK, DELETE_PROTECTION = 'lock', 'delete_protection'

guard_table = sqlalchemy.Table(
    'heat_extras_guard', metadata,
    sqlalchemy.Column('id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('kind', sqlalchemy.String(24), nullable=False),
    # The root stack, and its project.
    sqlalchemy.Column('stack_id', sqlalchemy.String(36), nullable=False,
                      index=True),
    sqlalchemy.Column('project', sqlalchemy.String(256)),
    # The reason that the user gave.
    sqlalchemy.Column('reason', sqlalchemy.String(255)),
    sqlalchemy.Column('set_by', sqlalchemy.String(255)),
    # The user ID in the token. A name is unique only in its domain.
    sqlalchemy.Column('set_by_id', sqlalchemy.String(255)),
    sqlalchemy.Column('set_by_project', sqlalchemy.String(255)),
    # 'member' or 'admin': the role that is needed to remove it.
    sqlalchemy.Column('rank', sqlalchemy.String(16)),
    sqlalchemy.Column('set_at', sqlalchemy.DateTime),
    # Of a lock: 'stacks' or 'all', as in the stack table. Of a protection:
    # 'resources' if updates must not replace or remove resources.
    sqlalchemy.Column('level', sqlalchemy.String(16)),
    # All other columns are only for locks.
    # Shown in place of the stack's own action and status: LOCK or UNLOCK,
    # and IN_PROGRESS, COMPLETE or FAILED. NULL: the stack's own status.
    sqlalchemy.Column('action', sqlalchemy.String(16)),
    sqlalchemy.Column('status', sqlalchemy.String(16)),
    sqlalchemy.Column('status_reason', sqlalchemy.Text),
    # The engine that works on LOCK_IN_PROGRESS or UNLOCK_IN_PROGRESS.
    sqlalchemy.Column('engine_id', sqlalchemy.String(36)),
    # A new ID for each lock and unlock, so that an engine can find out
    # whether its own operation is still in progress.
    sqlalchemy.Column('operation_id', sqlalchemy.String(36)),
    # The expiration time, in UTC and whole seconds. NULL: does not expire.
    sqlalchemy.Column('expires_at', sqlalchemy.DateTime, index=True),
    # The time at which an engine unlocks the stack: the expiration time, or
    # the next attempt. The number of failed attempts is in unlock_attempts.
    sqlalchemy.Column('unlock_at', sqlalchemy.DateTime, index=True),
    sqlalchemy.Column('unlock_attempts', sqlalchemy.Integer),
    # The lock pass, if there is one: its user by ID, or by name and domain,
    # its expiration time, by whom and when it was granted, and when it was
    # used. A pass that expired before it was used has no effect.
    sqlalchemy.Column('pass_user_id', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_user_name', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_user_domain', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_expires_at', sqlalchemy.DateTime, index=True),
    sqlalchemy.Column('pass_reason', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_granted_by', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_granted_by_project', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_granted_at', sqlalchemy.DateTime),
    sqlalchemy.Column('pass_used_at', sqlalchemy.DateTime, index=True),
    # Lists of the locks of one project need only this index.
    sqlalchemy.Index('ix_heat_extras_guard_project_id', 'project', 'id'),
    **_INNODB,
)
"""The locks and delete protections that users set, one row for each root.

Most stacks have none, so their columns are not in the stack table.
"""


def lock_row_conditions(stack):
    """Return the conditions to join the guard table with locked root stacks.

    They are false for nested stacks, which have the lock ID of their root.

    :param stack: a table of stacks, with the columns of a lock.
    """
    return (guard_table.c.id == stack.c.lock_id,
            guard_table.c.stack_id == stack.c.id)


def is_locked(stack):
    """Return the condition that a stack is locked.

    It is also true while a lock pass is used, because the pass allows only
    one update.

    :param stack: a table of stacks, with the columns of a lock.
    """
    return sqlalchemy.or_(stack.c.lock_level.is_not(None),
                          stack.c.lock_passing.is_not(None))


def shows_unlock(stack):
    """Return the condition that a stack shows UNLOCK_COMPLETE.

    It does so until its next operation.

    :param stack: a table of stacks, with the columns of a lock.
    """
    return sqlalchemy.and_(stack.c.lock_id.is_not(None),
                           sqlalchemy.not_(is_locked(stack)))


ignored_signal_table = sqlalchemy.Table(
    'heat_extras_ignored_signal', metadata,
    sqlalchemy.Column('resource_id', sqlalchemy.Integer, primary_key=True,
                      autoincrement=False),
    sqlalchemy.Column('stack_id', sqlalchemy.String(36), nullable=False,
                      index=True),
    sqlalchemy.Column('resource_name', sqlalchemy.String(255),
                      nullable=False),
    sqlalchemy.Column('count', sqlalchemy.Integer, nullable=False),
    sqlalchemy.Column('first_at', sqlalchemy.DateTime),
    sqlalchemy.Column('last_at', sqlalchemy.DateTime),
    **_INNODB,
)
"""The number of signals that a lock ignored, until the unlock reports it."""

counter_table = sqlalchemy.Table(
    'heat_extras_counter', metadata,
    # Empty for the sum of all deleted stacks.
    sqlalchemy.Column('stack_id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('event', sqlalchemy.String(16), primary_key=True),
    sqlalchemy.Column('operation', sqlalchemy.String(255),
                      primary_key=True),
    sqlalchemy.Column('count', sqlalchemy.Integer, nullable=False),
    sqlalchemy.Column('first_at', sqlalchemy.DateTime),
    sqlalchemy.Column('last_at', sqlalchemy.DateTime),
    **_INNODB,
)
"""Counters of operations that guards rejected or ignored, for each stack."""

protection_table = sqlalchemy.Table(
    'heat_extras_protection', metadata,
    # The ID of the row in Heat's resource table. The name is not unique: a
    # resource that is not replaced yet has the same name as the new resource.
    sqlalchemy.Column('resource_id', sqlalchemy.Integer, primary_key=True,
                      autoincrement=False),
    sqlalchemy.Column('stack_id', sqlalchemy.String(36), nullable=False,
                      index=True),
    sqlalchemy.Column('root_id', sqlalchemy.String(36), nullable=False,
                      index=True),
    sqlalchemy.Column('resource_name', sqlalchemy.String(255)),
    sqlalchemy.Column('resource_type', sqlalchemy.String(255)),
    sqlalchemy.Column('physical_resource_id', sqlalchemy.String(255)),
    sqlalchemy.Column('state', sqlalchemy.String(32), nullable=False),
    sqlalchemy.Column('reason', sqlalchemy.Text().with_variant(
        mysql.LONGTEXT(), 'mysql', 'mariadb')),
    sqlalchemy.Column('updated_at', sqlalchemy.DateTime),
    **_INNODB,
)
"""The resources of other services that a lock of level ``all`` protects.

A row is written before the request to the service, so that each protected
resource has a row. For the states, see
:mod:`heat_extras.stack_lock.resource_locks.resource_states`.
"""

mark_table = sqlalchemy.Table(
    'heat_extras_mark', metadata,
    sqlalchemy.Column('resource_id', sqlalchemy.Integer, primary_key=True,
                      autoincrement=False),
    sqlalchemy.Column('stack_id', sqlalchemy.String(36), nullable=False,
                      index=True),
    sqlalchemy.Column('prior_action', sqlalchemy.String(16)),
    sqlalchemy.Column('reason', sqlalchemy.Text),
    sqlalchemy.Column('marked_by', sqlalchemy.String(255)),
    sqlalchemy.Column('marked_by_project', sqlalchemy.String(255)),
    sqlalchemy.Column('marked_at', sqlalchemy.DateTime),
    **_INNODB,
)
"""The resources that users marked as unhealthy, or whose mark they reset.

A row is valid only while the resource still has the status reason that was
written with it.
"""

operation_table = sqlalchemy.Table(
    'heat_extras_operation', metadata,
    sqlalchemy.Column('id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('stack_id', sqlalchemy.String(36), nullable=False,
                      index=True),
    sqlalchemy.Column('traversal', sqlalchemy.String(36)),
    sqlalchemy.Column('action', sqlalchemy.String(16), nullable=False),
    sqlalchemy.Column('engine_id', sqlalchemy.String(36), nullable=False),
    sqlalchemy.Column('phase', sqlalchemy.String(16), nullable=False),
    sqlalchemy.Column('passed', Json),
    sqlalchemy.Column('is_failure', sqlalchemy.Boolean),
    # The action and status of the stack before, for DELETE and SUSPEND.
    sqlalchemy.Column('prior', Json),
    sqlalchemy.Column('started_at', sqlalchemy.DateTime),
    **_INNODB,
)
"""Running operations for which lifecycle plugins are called, one row each.

The row is deleted after the post calls. The row of a DELETE or SUSPEND that
was denied stays until the next operation begins.
"""

baseline_table = sqlalchemy.Table(
    'heat_extras_baseline', metadata,
    sqlalchemy.Column('stack_id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('kind', sqlalchemy.String(16), primary_key=True),
    sqlalchemy.Column('update_key', sqlalchemy.String(64), nullable=False),
    sqlalchemy.Column('data', Json),
    **_INNODB,
)
"""The state of a stack before an update: ``heat_internals/current_update.py``.

It contains digests, no values. A row is valid only in the update that it names
and in its rollback.
"""
