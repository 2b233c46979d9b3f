# SPDX-License-Identifier: Apache-2.0

"""The lock's columns on Heat's stack table, and our tables."""

from alembic import op
from oslo_db import exception as db_exception
import sqlalchemy as sa
from sqlalchemy.dialects import mysql

from heat_extras.db import online_ddl

revision = '001'
down_revision = None
branch_labels = None
depends_on = None

MYSQL = ('mysql', 'mariadb')
# SQLAlchemy reads one or the other, as the connection's URL begins.
INNODB = {'mysql_engine': 'InnoDB', 'mariadb_engine': 'InnoDB'}

TABLES = ('heat_extras_engine', 'heat_extras_ignored_signal',
          'heat_extras_mark', 'heat_extras_protection',
          'heat_extras_counter', 'heat_extras_operation',
          'heat_extras_baseline', 'heat_extras_lock',
          'heat_extras_freezes')


def upgrade():
    """Add the columns and the tables.

    MySQL commits each statement by itself: what an interrupted run left
    behind is kept, and the rest is added.
    """
    _in_order(_add_columns, _create_tables)


def downgrade():
    """Drop the columns and the tables."""
    _in_order(_drop_columns, _drop_tables)


def _in_order(change_columns, change_tables):
    # What MySQL may refuse comes first. Elsewhere all is one transaction, and
    # Heat waits from the change of its table to the end.
    steps = [change_columns, change_tables]
    for step in steps if _is_mysql() else reversed(steps):
        step()


def _add_columns():
    found = _stack_columns_found()
    _alter_stack([
        ('ADD COLUMN', column) for column in _columns()
        if column.name not in found])


def _drop_columns():
    found = _stack_columns_found()
    _alter_stack([
        ('DROP COLUMN', column) for column in reversed(_columns())
        if column.name in found])


def _create_tables():
    _create_engine_table()
    _create_ignored_signal_table()
    _create_mark_table()
    _create_protection_table()
    _create_counter_table()
    _create_operation_table()
    _create_baseline_table()
    _create_lock_table()
    _create_freezes_table()


def _drop_tables():
    for name in TABLES:
        if _has_table(name):
            op.drop_table(name)


def _is_mysql():
    return op.get_bind().dialect.name in MYSQL


def _columns():
    return [
        sa.Column('lock_level', sa.String(16)),
        sa.Column('lock_passing', sa.String(16)),
        sa.Column('lock_action', sa.String(16)),
        sa.Column('lock_status', sa.String(16)),
        sa.Column('lock_status_reason', sa.Text()),
        sa.Column('lock_reason', sa.String(255)),
        sa.Column('locked_by', sa.String(255)),
        sa.Column('locked_by_id', sa.String(255)),
        sa.Column('locked_by_project', sa.String(255)),
        sa.Column('lock_rank', sa.String(16)),
        sa.Column('locked_at', sa.DateTime()),
        sa.Column('lock_engine_id', sa.String(36)),
        sa.Column('lock_operation_id', sa.String(36)),
        sa.Column('lock_id', sa.String(36)),
        sa.Column('updatable', _json()),
        sa.Column('has_update_policy', sa.Boolean()),
        sa.Column('delete_protection_id', sa.String(36)),
        sa.Column('delete_protection_reason', sa.String(255)),
        sa.Column('delete_protected_by', sa.String(255)),
        sa.Column('delete_protected_by_id', sa.String(255)),
        sa.Column('delete_protected_by_project', sa.String(255)),
        sa.Column('delete_protection_rank', sa.String(16)),
        sa.Column('delete_protected_at', sa.DateTime()),
        sa.Column('delete_intents', sa.Text()),
    ]


def _create_engine_table():
    _create(
        'heat_extras_engine',
        sa.Column('engine_id', sa.String(36), primary_key=True),
        sa.Column('host', sa.String(255)),
        sa.Column('hostname', sa.String(255)),
        sa.Column('version', sa.String(64)),
        sa.Column('heat_version', sa.String(64)),
        sa.Column('features', _json()),
        sa.Column('created_at', sa.DateTime()),
        sa.Column('updated_at', sa.DateTime()))


def _create_ignored_signal_table():
    _create(
        'heat_extras_ignored_signal',
        sa.Column('resource_id', sa.Integer(), primary_key=True,
                  autoincrement=False),
        sa.Column('stack_id', sa.String(36), nullable=False, index=True),
        sa.Column('resource_name', sa.String(255), nullable=False),
        sa.Column('count', sa.Integer(), nullable=False),
        sa.Column('first_at', sa.DateTime()),
        sa.Column('last_at', sa.DateTime()))


def _create_mark_table():
    _create(
        'heat_extras_mark',
        sa.Column('resource_id', sa.Integer(), primary_key=True,
                  autoincrement=False),
        sa.Column('stack_id', sa.String(36), nullable=False, index=True),
        sa.Column('prior_action', sa.String(16)),
        sa.Column('reason', sa.Text()),
        sa.Column('marked_by', sa.String(255)),
        sa.Column('marked_by_project', sa.String(255)),
        sa.Column('marked_at', sa.DateTime()))


def _create_protection_table():
    _create(
        'heat_extras_protection',
        sa.Column('resource_id', sa.Integer(), primary_key=True,
                  autoincrement=False),
        sa.Column('stack_id', sa.String(36), nullable=False, index=True),
        sa.Column('root_id', sa.String(36), nullable=False, index=True),
        sa.Column('resource_name', sa.String(255)),
        sa.Column('resource_type', sa.String(255)),
        sa.Column('physical_resource_id', sa.String(255)),
        sa.Column('state', sa.String(32), nullable=False),
        sa.Column('reason', _json()),
        sa.Column('updated_at', sa.DateTime()))


def _create_counter_table():
    _create(
        'heat_extras_counter',
        sa.Column('stack_id', sa.String(36), primary_key=True),
        sa.Column('event', sa.String(16), primary_key=True),
        sa.Column('operation', sa.String(255), primary_key=True),
        sa.Column('count', sa.Integer(), nullable=False),
        sa.Column('first_at', sa.DateTime()),
        sa.Column('last_at', sa.DateTime()))


def _create_operation_table():
    _create(
        'heat_extras_operation',
        sa.Column('id', sa.String(36), primary_key=True),
        sa.Column('stack_id', sa.String(36), nullable=False, index=True),
        sa.Column('traversal', sa.String(36)),
        sa.Column('action', sa.String(16), nullable=False),
        sa.Column('engine_id', sa.String(36), nullable=False),
        sa.Column('phase', sa.String(16), nullable=False),
        sa.Column('passed', _json()),
        sa.Column('is_failure', sa.Boolean()),
        sa.Column('prior', _json()),
        sa.Column('started_at', sa.DateTime()))


def _create_baseline_table():
    _create(
        'heat_extras_baseline',
        sa.Column('stack_id', sa.String(36), primary_key=True),
        sa.Column('kind', sa.String(16), primary_key=True),
        sa.Column('update_key', sa.String(64), nullable=False),
        sa.Column('data', _json()))


def _create_lock_table():
    _create(
        'heat_extras_lock',
        sa.Column('id', sa.String(36), primary_key=True),
        sa.Column('stack_id', sa.String(36), nullable=False, index=True),
        sa.Column('project', sa.String(256)),
        sa.Column('expires_at', sa.DateTime(), index=True),
        sa.Column('unlock_at', sa.DateTime(), index=True),
        sa.Column('unlock_attempts', sa.Integer()),
        sa.Column('pass_user_id', sa.String(255)),
        sa.Column('pass_user_name', sa.String(255)),
        sa.Column('pass_user_domain', sa.String(255)),
        sa.Column('pass_expires_at', sa.DateTime(), index=True),
        sa.Column('pass_reason', sa.String(255)),
        sa.Column('pass_granted_by', sa.String(255)),
        sa.Column('pass_granted_by_project', sa.String(255)),
        sa.Column('pass_granted_at', sa.DateTime()),
        sa.Column('pass_used_at', sa.DateTime(), index=True),
        also_by=('project', 'id'))


def _create_freezes_table():
    _create(
        'heat_extras_freezes',
        sa.Column('engine_id', sa.String(36), primary_key=True),
        sa.Column('digest', sa.String(64)),
        sa.Column('refused', sa.String(64)))


def _create(name, *columns, also_by=()):
    """Make a table, or what is missing of its indexes.

    Alembic makes them by statements of their own.

    :param also_by: the names of the columns of one more index.
    """
    if not _has_table(name):
        op.create_table(name, *columns, **INNODB)
    found = {index['name'] for index
             in sa.inspect(op.get_bind()).get_indexes(name)}
    for names in [*([column.name] for column in columns if column.index),
                  *filter(None, [also_by])]:
        index = 'ix_%s_%s' % (name, '_'.join(names))
        if index not in found:
            op.create_index(index, name, list(names))


def _json():
    # As heat.db.types.Json, which Heat's own JSON columns have.
    return sa.Text().with_variant(mysql.LONGTEXT(), *MYSQL)


def _alter_stack(changes):
    """Change Heat's table in place, in one statement where the server can.

    :param changes: pairs of ``ADD COLUMN`` or ``DROP COLUMN`` and a column.
    """
    if not changes:
        return
    if _is_mysql():
        _alter_stack_mysql(changes)
    elif op.get_bind().dialect.name == 'postgresql':
        op.execute(_alteration(changes))
    else:
        for change in changes:
            op.execute(_alteration([change]))


def _alteration(changes):
    return 'ALTER TABLE stack ' + ', '.join(
        _clause(verb, column) for verb, column in changes)


def _alter_stack_mysql(changes):
    statement = _alteration(changes)
    try:
        op.execute(statement + ', ALGORITHM=INSTANT')
    except (sa.exc.DBAPIError, db_exception.DBError) as error:
        reason = online_ddl.refusal_reason(error)
        if reason is None:
            raise
        if not online_ddl.may_copy(op.get_context()):
            raise online_ddl.NotInstant('stack', reason) from error
        online_ddl.log_copy('stack', reason)
        # By itself the server would try an instant first, and meet the same.
        op.execute(statement + ', FORCE')
    else:
        online_ddl.log_instant('stack')


def _clause(verb, column):
    if verb == 'DROP COLUMN':
        return '%s %s' % (verb, column.name)
    dialect = op.get_bind().dialect
    return '%s %s' % (verb, sa.schema.CreateColumn(column).compile(
        dialect=dialect))


def _stack_columns_found():
    inspector = sa.inspect(op.get_bind())
    return {column['name'] for column in inspector.get_columns('stack')}


def _has_table(name):
    return sa.inspect(op.get_bind()).has_table(name)
