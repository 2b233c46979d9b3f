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
