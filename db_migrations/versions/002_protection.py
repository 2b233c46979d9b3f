# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""The table of what a lock protects in other services."""

from alembic import op
import sqlalchemy as sa
from sqlalchemy.dialects import mysql

revision = '002'
down_revision = '001'
branch_labels = None
depends_on = None

TABLE = 'heat_extras_protection'
INNODB = {'mysql_engine': 'InnoDB', 'mariadb_engine': 'InnoDB'}


def upgrade():
    """Create the table; what an interrupted run left behind is kept."""
    if _has_table():
        return
    op.create_table(
        TABLE,
        sa.Column('stack_id', sa.String(36), primary_key=True),
        sa.Column('resource_name', sa.String(255), primary_key=True),
        sa.Column('root_id', sa.String(36), nullable=False, index=True),
        sa.Column('resource_type', sa.String(255)),
        sa.Column('physical_resource_id', sa.String(255)),
        sa.Column('state', sa.String(32), nullable=False),
        sa.Column('reason', sa.Text().with_variant(
            mysql.LONGTEXT(), 'mysql', 'mariadb')),
        sa.Column('updated_at', sa.DateTime()),
        **INNODB)


def downgrade():
    """Drop the table."""
    if _has_table():
        op.drop_table(TABLE)


def _has_table():
    return sa.inspect(op.get_bind()).has_table(TABLE)
