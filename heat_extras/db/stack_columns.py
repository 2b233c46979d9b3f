# SPDX-License-Identifier: Apache-2.0

"""Put the columns of heat-extras on Heat's mapped classes.

They come with the row that Heat loads anyway, so that asking whether a stack
is locked costs no SQL statement. In nearly every row they tell nothing, and a
driver in Python takes its time for each column of each answer: they are loaded
as one, which is NULL then.
"""

import collections
import datetime

from heat.db import models as heat_models
from oslo_serialization import jsonutils
import sqlalchemy
from sqlalchemy.ext import compiler
from sqlalchemy import orm
from sqlalchemy.sql import functions

from heat_extras.db import models

_GATHERED = 'heat_extras'
# The same, read, where Heat has made an object of its own from the row.
_ATTRIBUTE = 'heat_extras_columns'
_NAMES = tuple(column.name for column in models.stack_columns())

#: What the columns of heat-extras hold for one stack.
Columns = collections.namedtuple('Columns', _NAMES)
# The other columns are words about these, or tell of a policy.
_TELLING = ('lock_level', 'lock_passing', 'lock_action', 'updatable',
            'delete_protection_id')
_POLICY = 'has_update_policy'
# What it comes to where it is NULL, and where it is empty: in a stack from
# before the feature update_policy, or without it.
_UNKNOWN = Columns(*[None] * len(_NAMES))
_QUIET = _UNKNOWN._replace(**{_POLICY: False})


def _time(text):
    # PostgreSQL leaves out the zeros at the end, and Python 3.10 reads three
    # digits or six.
    whole, _, fraction = text.partition('.')
    return datetime.datetime.fromisoformat(f'{whole}.{fraction:0<6}')


# What JSON does not know, what is JSON in JSON, and what MariaDB tells as 1.
_READ = {'locked_at': _time,
         'delete_protected_at': _time,
         'updatable': jsonutils.loads,
         _POLICY: bool}


class _JsonArray(functions.FunctionElement):
    """The text of a JSON array of its arguments."""

    type = sqlalchemy.Text()
    inherit_cache = True


@compiler.compiles(_JsonArray)
def _compile_json_array(element, compiler, **keywords):
    arguments = compiler.process(element.clause_expr, **keywords)
    if compiler.dialect.name == 'postgresql':
        return f'CAST(json_build_array{arguments} AS TEXT)'
    return f'json_array{arguments}'


def map_stack_columns():
    """Add the columns to heat.db.models.Stack; twice is the same as once.

    Must run before the first query: SQLAlchemy would leave the columns out
    of statements that it has compiled already. It cannot be undone in a
    process, because SQLAlchemy cannot unmap a column.
    """
    table = heat_models.Stack.__table__
    for column in models.stack_columns():
        if column.name not in table.columns:
            setattr(heat_models.Stack, column.name, orm.deferred(column))
    if not hasattr(heat_models.Stack, _GATHERED):
        setattr(heat_models.Stack, _GATHERED, orm.column_property(
            _gathered(table.columns)))


def _gathered(columns):
    tells_nothing = [columns[name].is_(None) for name in _TELLING]
    return sqlalchemy.case(
        (sqlalchemy.and_(*tells_nothing, columns[_POLICY].is_(False)),
         sqlalchemy.null()),
        # Not a parameter, which each statement would have.
        (sqlalchemy.and_(*tells_nothing, columns[_POLICY].is_(None)),
         sqlalchemy.literal_column("''", sqlalchemy.Text())),
        else_=_JsonArray(*(columns[name] for name in _NAMES)))


def columns(stack):
    """Return our columns of a stack, whatever Heat was handed.

    :param stack: a heat.objects.stack.Stack or a row of
        heat.db.models.Stack.
    :returns: a :class:`Columns`.
    """
    read = getattr(stack, _ATTRIBUTE, None)
    return _read(vars(stack)) if read is None else read


def _read(loaded):
    if _GATHERED not in loaded:
        # Not read from the database, but just written to it.
        return Columns(*map(loaded.get, _NAMES))
    gathered = loaded[_GATHERED]
    if gathered is None:
        return _QUIET
    if not gathered:
        return _UNKNOWN
    values = Columns(*jsonutils.loads(gathered))
    return values._replace(**{
        name: read(getattr(values, name)) for name, read in _READ.items()
        if getattr(values, name) is not None})


def keep_columns(stack, db_stack):
    """Hand our columns on from a row to the object that Heat makes of it.

    :param stack: a heat.objects.stack.Stack.
    :param db_stack: the row of heat.db.models.Stack.
    """
    setattr(stack, _ATTRIBUTE, _read(vars(db_stack)))
