# SPDX-License-Identifier: Apache-2.0

"""The columns on Heat's stack table, and the tables.

Until the first release, they are those of :mod:`heat_extras.db.models`.
"""

from alembic import op
from oslo_db import exception as db_exception
import sqlalchemy as sa

from heat_extras.db import models
from heat_extras.db import online_ddl

revision = '001'
down_revision = None
branch_labels = None
depends_on = None


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
        ('ADD COLUMN', column) for column in models.stack_columns()
        if column.name not in found])


def _drop_columns():
    found = _stack_columns_found()
    _alter_stack([
        ('DROP COLUMN', column) for column in reversed(models.stack_columns())
        if column.name in found])


def _create_tables():
    for table in models.metadata.sorted_tables:
        table.create(op.get_bind(), checkfirst=True)
        # Those that an interrupted run has not created.
        for index in table.indexes:
            index.create(op.get_bind(), checkfirst=True)


def _drop_tables():
    for table in models.metadata.sorted_tables:
        table.drop(op.get_bind(), checkfirst=True)


def _is_mysql():
    return op.get_bind().dialect.name in ('mysql', 'mariadb')


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
