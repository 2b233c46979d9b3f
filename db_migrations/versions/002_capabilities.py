# SPDX-License-Identifier: Apache-2.0

"""What each engine can that an older release could not."""

from alembic import op
import sqlalchemy as sa

revision = '002'
down_revision = '001'
branch_labels = None
depends_on = None

TABLE = 'heat_extras_capability'


def upgrade():
    """Add the table, unless a run that was cut off has done so."""
    if not _has_table():
        op.create_table(
            TABLE,
            sa.Column('engine_id', sa.String(36), primary_key=True),
            sa.Column('name', sa.String(64), primary_key=True),
            # SQLAlchemy reads one or the other, as the URL begins.
            mysql_engine='InnoDB', mariadb_engine='InnoDB')


def downgrade():
    """Drop the table."""
    if _has_table():
        op.drop_table(TABLE)


def _has_table():
    return sa.inspect(op.get_bind()).has_table(TABLE)
