# SPDX-License-Identifier: Apache-2.0

"""What heat-extras keeps in Heat's database.

Nothing here imports Heat, so that migrations and tools can use it without
loading an engine. The columns are put on Heat's mapped classes by
:mod:`heat_extras.db.stack_columns`.

No key holds a name that users choose: MySQL and MariaDB compare texts without
case, accents and trailing spaces, as long as nobody tells them otherwise.
"""

from oslo_serialization import jsonutils
import sqlalchemy
from sqlalchemy.dialects import mysql
from sqlalchemy import types

metadata = sqlalchemy.MetaData()


class Json(types.TypeDecorator):
    """A JSON document in a text column, LONGTEXT on MySQL as Heat's are."""

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

    All are nullable without a default, so that adding them is instant.

    :returns: a list of new, unattached :class:`sqlalchemy.Column`.
    """
    return [
        # 'stacks', 'all', or NULL: not locked. The one column that guards
        # ask.
        sqlalchemy.Column('lock_level', sqlalchemy.String(16)),
        # That level while a pass is used: the whole tree is locked still, and
        # its lock lets one update through. lock_level is NULL then.
        sqlalchemy.Column('lock_passing', sqlalchemy.String(16)),
        # What is shown over the stack's own action and status: LOCK or
        # UNLOCK, IN_PROGRESS, COMPLETE or FAILED. NULL: nothing to show.
        sqlalchemy.Column('lock_action', sqlalchemy.String(16)),
        sqlalchemy.Column('lock_status', sqlalchemy.String(16)),
        sqlalchemy.Column('lock_status_reason', sqlalchemy.Text),
        # The user's own words.
        sqlalchemy.Column('lock_reason', sqlalchemy.String(255)),
        sqlalchemy.Column('locked_by', sqlalchemy.String(255)),
        # Of the token: names are unique in a domain only.
        sqlalchemy.Column('locked_by_id', sqlalchemy.String(255)),
        sqlalchemy.Column('locked_by_project', sqlalchemy.String(255)),
        # 'member' or 'admin': whose rights it takes to lift it.
        sqlalchemy.Column('lock_rank', sqlalchemy.String(16)),
        sqlalchemy.Column('locked_at', sqlalchemy.DateTime),
        # The engine that works on LOCK_IN_PROGRESS or UNLOCK_IN_PROGRESS.
        sqlalchemy.Column('lock_engine_id', sqlalchemy.String(36)),
        # Another one for each lock and unlock: an engine can find that the
        # one in progress is not the one that it has begun.
        sqlalchemy.Column('lock_operation_id', sqlalchemy.String(36)),
        # Another one for each lock; extending one keeps it.
        sqlalchemy.Column('lock_id', sqlalchemy.String(36)),
        # The parameters that are not updatable, as of the template last
        # applied: {"key_name": false}.
        sqlalchemy.Column('updatable', Json),
        # Whether a template of the stack, of one nested in it or of one
        # around it has or had an update_policy.allow. NULL: not known.
        sqlalchemy.Column('has_update_policy', sqlalchemy.Boolean),
        # Of a root that is protected from deletion: another id each time it
        # is set, NULL where it is not. What deletions ask for.
        sqlalchemy.Column('delete_protection_id', sqlalchemy.String(36)),
        sqlalchemy.Column('delete_protection_reason', sqlalchemy.String(255)),
        sqlalchemy.Column('delete_protected_by', sqlalchemy.String(255)),
        sqlalchemy.Column('delete_protected_by_project',
                          sqlalchemy.String(255)),
        sqlalchemy.Column('delete_protection_rank', sqlalchemy.String(16)),
        sqlalchemy.Column('delete_protected_at', sqlalchemy.DateTime),
        # Of a root: the deletions that are about to end what runs in its
        # tree, as stack_lock/delete_protection/delete_intent.py writes them.
        sqlalchemy.Column('delete_intents', sqlalchemy.Text),
    ]


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
    mysql_engine='InnoDB',
)
"""The engines that carry the extension, as each one reports itself.

And live_engines.WITHOUT_POLICY, from when an engine starts without the feature
update_policy until all have it again.
"""

freezes_table = sqlalchemy.Table(
    'heat_extras_freezes', metadata,
    sqlalchemy.Column('engine_id', sqlalchemy.String(36), primary_key=True),
    # Of the file that is in force there, and of one that could not be.
    sqlalchemy.Column('digest', sqlalchemy.String(64)),
    sqlalchemy.Column('refused', sqlalchemy.String(64)),
    mysql_engine='InnoDB',
)
"""What each engine has in force of ``[heat_extras] freezes_file``."""

lock_table = sqlalchemy.Table(
    'heat_extras_lock', metadata,
    sqlalchemy.Column('id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('stack_id', sqlalchemy.String(36), nullable=False,
                      index=True),
    # That of the stack.
    sqlalchemy.Column('project', sqlalchemy.String(256)),
    # Its end, UTC in whole seconds; NULL: none.
    sqlalchemy.Column('expires_at', sqlalchemy.DateTime, index=True),
    # When an engine is to lift it: at its end, or again after one that failed
    # so many times.
    sqlalchemy.Column('unlock_at', sqlalchemy.DateTime, index=True),
    sqlalchemy.Column('unlock_attempts', sqlalchemy.Integer),
    # The pass through it, if it has one: for the user of this id, or of this
    # name in a domain; for whom it was granted, until when, by whom, and when
    # it was used. What is not used and not valid any more counts for nothing.
    sqlalchemy.Column('pass_user_id', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_user_name', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_user_domain', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_expires_at', sqlalchemy.DateTime, index=True),
    sqlalchemy.Column('pass_reason', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_granted_by', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_granted_by_project', sqlalchemy.String(255)),
    sqlalchemy.Column('pass_granted_at', sqlalchemy.DateTime),
    sqlalchemy.Column('pass_used_at', sqlalchemy.DateTime, index=True),
    # A page of one project's locks is read by it alone.
    sqlalchemy.Index('ix_heat_extras_lock_project_id', 'project', 'id'),
    mysql_engine='InnoDB',
)
"""The locks of root stacks, by their id, so that they are found without a look
at each stack.
"""


def entered(stack):
    """List the conditions under which a row of the lock table is of a stack.

    Nested stacks have the ID of their root's lock.

    :param stack: a table of stacks, with the columns of a lock.
    """
    return (lock_table.c.id == stack.c.lock_id,
            lock_table.c.stack_id == stack.c.id)


def held(stack):
    """Return the condition that a stack is locked.

    Also while a pass is used: that takes the lock from nobody but the update
    that uses it.

    :param stack: a table of stacks, with the columns of a lock.
    """
    return sqlalchemy.or_(stack.c.lock_level.is_not(None),
                          stack.c.lock_passing.is_not(None))


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
    mysql_engine='InnoDB',
)
"""Signals that a lock made ineffective, counted until the unlock tells."""

counter_table = sqlalchemy.Table(
    'heat_extras_counter', metadata,
    # Empty: of all stacks that are gone.
    sqlalchemy.Column('stack_id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('event', sqlalchemy.String(16), primary_key=True),
    sqlalchemy.Column('operation', sqlalchemy.String(255),
                      primary_key=True),
    sqlalchemy.Column('count', sqlalchemy.Integer, nullable=False),
    sqlalchemy.Column('first_at', sqlalchemy.DateTime),
    sqlalchemy.Column('last_at', sqlalchemy.DateTime),
    mysql_engine='InnoDB',
)
"""What locks refused and ignored, counted as long as the stack lives."""

protection_table = sqlalchemy.Table(
    'heat_extras_protection', metadata,
    # The id of the row in Heat's resource table. A name is not enough: what
    # an update could not replace yet lives on under the same one.
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
    mysql_engine='InnoDB',
)
"""What a lock of level ``all`` has to do with resources of other services.

A row is written before the service is asked, so that nothing is protected
that no row tells of. States:
:mod:`heat_extras.stack_lock.resource_locks.states`.
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
    mysql_engine='InnoDB',
)
"""Who marked which resource as unhealthy, or reset it.

A row counts only while the resource has the reason that was written with it.
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
    # Action and status of the stack before, where that matters.
    sqlalchemy.Column('prior', Json),
    sqlalchemy.Column('started_at', sqlalchemy.DateTime),
    mysql_engine='InnoDB',
)
"""Running operations that lifecycle plugins know of, one row each.

It is gone once the plugins were told how the operation ended. That of a DELETE
or SUSPEND that was denied stays until the next one begins.
"""

baseline_table = sqlalchemy.Table(
    'heat_extras_baseline', metadata,
    sqlalchemy.Column('stack_id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('kind', sqlalchemy.String(16), primary_key=True),
    sqlalchemy.Column('update_key', sqlalchemy.String(64), nullable=False),
    sqlalchemy.Column('data', Json),
    mysql_engine='InnoDB',
)
"""What a stack was before an update: ``heat_extras/pre_update_state/``.

Digests, no values. A row counts only in the update that it names, and in the
rollback of that one.
"""
