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

"""Put the columns of heat-extras on Heat's mapped classes.

They come with the row that Heat loads anyway, so that asking whether a stack
is locked costs no SQL statement.
"""

from heat.db import models as heat_models
from oslo_versionedobjects import fields as object_fields

from heat_extras.db import models
from heat_extras import patching


def map_stack_columns():
    """Add the columns to heat.db.models.Stack; twice is the same as once.

    Must run before the first query: SQLAlchemy would leave the columns out
    of statements that it has compiled already. It cannot be undone in a
    process, because SQLAlchemy cannot unmap a column.
    """
    for column in models.stack_columns():
        if column.name not in heat_models.Stack.__table__.columns:
            setattr(heat_models.Stack, column.name, column)


class StackObjectMixin:
    """Extends heat.objects.stack:Stack."""

    @patching.value(why='Stack._from_db_object copies the columns that are '
                        'listed here, and nothing else')
    def fields(original):
        own = {column.name: object_fields.Field(
                   object_fields.FieldType(), nullable=True)
               for column in models.stack_columns()}
        return {**original, **own}
