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
is locked costs no SQL statement. Most of them are NULL in nearly every row,
and a driver in Python takes its time for each column of each answer: these
are loaded as one, which is NULL when none of them has to tell anything.
"""

import datetime
import types

from heat.db import models as heat_models
from oslo_serialization import jsonutils
import sqlalchemy
from sqlalchemy.ext import compiler
from sqlalchemy import orm
from sqlalchemy.sql import functions

from heat_extras.db import models
from heat_extras import patching

_GATHERED = 'heat_extras'
_ALONE = ('has_update_policy',)
_NAMES = tuple(column.name for column in models.stack_columns()
               if column.name not in _ALONE)
_NOTHING = dict.fromkeys(_NAMES)
# The other columns are words about these.
_TELLING = ('lock_level', 'lock_action', 'updatable')

# What JSON does not know, or what is JSON in JSON.
_READ = {'locked_at': datetime.datetime.fromisoformat,
         'updatable': jsonutils.loads}


class _JsonArray(functions.FunctionElement):
    """A JSON array of its arguments."""

    type = sqlalchemy.JSON()
    inherit_cache = True


@compiler.compiles(_JsonArray)
def _compile_json_array(element, compiler, **keywords):
    name = ('json_build_array' if compiler.dialect.name == 'postgresql'
            else 'json_array')
    return name + compiler.process(element.clause_expr, **keywords)


def map_stack_columns():
    """Add the columns to heat.db.models.Stack; twice is the same as once.

    Must run before the first query: SQLAlchemy would leave the columns out
    of statements that it has compiled already. It cannot be undone in a
    process, because SQLAlchemy cannot unmap a column.
    """
    table = heat_models.Stack.__table__
    for column in models.stack_columns():
        if column.name not in table.columns:
            setattr(heat_models.Stack, column.name,
                    column if column.name in _ALONE
                    else orm.deferred(column))
    if not hasattr(heat_models.Stack, _GATHERED):
        setattr(heat_models.Stack, _GATHERED, orm.column_property(
            _gathered(table.columns)))


def _gathered(columns):
    return sqlalchemy.type_coerce(
        sqlalchemy.case(
            (sqlalchemy.and_(*(columns[name].is_(None)
                               for name in _TELLING)), sqlalchemy.null()),
            else_=_JsonArray(*(columns[name] for name in _NAMES))),
        sqlalchemy.JSON())


def _values(row):
    loaded = vars(row)
    return {**_gathered_values(loaded),
            **{name: loaded.get(name) for name in _ALONE}}


def _gathered_values(loaded):
    if _GATHERED not in loaded:
        # Not read from the database, but just written to it.
        return {name: loaded.get(name) for name in _NAMES}
    gathered = loaded[_GATHERED]
    if gathered is None:
        return _NOTHING
    values = dict(zip(_NAMES, gathered, strict=True))
    for name, read in _READ.items():
        if values[name] is not None:
            values[name] = read(values[name])
    return values


def readable(stack):
    """Return something that has our columns, whatever Heat was handed.

    :param stack: a heat.objects.stack.Stack, which has them, or a row of
        heat.db.models.Stack, which has them in one.
    """
    if isinstance(stack, heat_models.Stack):
        return types.SimpleNamespace(**_values(stack))
    return stack


class StackObjectMixin:
    """Extends heat.objects.stack:Stack."""

    @patching.wrap('(context, stack, db_stack)',
                   why='it copies the columns that are fields of the object, '
                       'and nothing else')
    def _from_db_object(original, context, stack, db_stack):
        loaded = original(context, stack, db_stack)
        vars(stack).update(_values(db_stack))
        return loaded
