# SPDX-License-Identifier: Apache-2.0

"""Run the migrations on the connection that heat_extras.db.migration opens."""

from alembic import context

from heat_extras.db import models


def run_migrations():
    """Run them in one transaction where the database can."""
    attributes = context.config.attributes
    context.configure(
        connection=attributes['connection'],
        version_table=attributes['version_table'],
        target_metadata=models.metadata)
    with context.begin_transaction():
        context.run_migrations()


run_migrations()
