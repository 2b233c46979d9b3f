# SPDX-License-Identifier: Apache-2.0

"""The columns of Heat's tables that tools read and write.

It does not import Heat, like :mod:`heat_extras.db.models`.
"""

import sqlalchemy

from heat_extras.db import models

_metadata = sqlalchemy.MetaData()

stack = sqlalchemy.Table(
    'stack', _metadata,
    sqlalchemy.Column('id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('name', sqlalchemy.String(255)),
    sqlalchemy.Column('tenant', sqlalchemy.String(256)),
    sqlalchemy.Column('owner_id', sqlalchemy.String(36)),
    sqlalchemy.Column('status', sqlalchemy.String(255)),
    sqlalchemy.Column('raw_template_id', sqlalchemy.Integer),
    sqlalchemy.Column('prev_raw_template_id', sqlalchemy.Integer),
    sqlalchemy.Column('backup', sqlalchemy.Boolean),
    sqlalchemy.Column('deleted_at', sqlalchemy.DateTime),
    *models.stack_columns())

# The JSON columns of these tables are read as texts.
raw_template = sqlalchemy.Table(
    'raw_template', _metadata,
    sqlalchemy.Column('id', sqlalchemy.Integer, primary_key=True),
    sqlalchemy.Column('template', sqlalchemy.Text),
    sqlalchemy.Column('files', sqlalchemy.Text),
    sqlalchemy.Column('files_id', sqlalchemy.Integer))

raw_template_files = sqlalchemy.Table(
    'raw_template_files', _metadata,
    sqlalchemy.Column('id', sqlalchemy.Integer, primary_key=True),
    sqlalchemy.Column('files', sqlalchemy.Text),
    sqlalchemy.Column('created_at', sqlalchemy.DateTime))

snapshot = sqlalchemy.Table(
    'snapshot', _metadata,
    sqlalchemy.Column('id', sqlalchemy.String(36), primary_key=True),
    sqlalchemy.Column('stack_id', sqlalchemy.String(36)),
    sqlalchemy.Column('data', sqlalchemy.Text))
