# SPDX-License-Identifier: Apache-2.0

"""Add the columns of heat-extras to Heat's mapped classes.

They are loaded with the row that Heat loads anyway, so that no additional
query is needed. Each column costs a driver in Python time, and most rows have
no values in them. So all columns are loaded as one column, which is then NULL.
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
# The parsed columns, on an object that Heat has made from a row.
_ATTRIBUTE = 'heat_extras_columns'
_NAMES = tuple(column.name for column in models.stack_columns())

#: The values of the columns of heat-extras for one stack.
Columns = collections.namedtuple('Columns', _NAMES)
# If these columns are NULL, all columns but the policy flag are NULL.
_SIGNIFICANT = ('lock_level', 'lock_passing', 'lock_action', 'updatable',
                'delete_protection_id')
_POLICY = 'has_update_policy'
# The columns of a stack with an empty column (the policy flag is unknown), and
# of a stack with NULL.
_UNKNOWN = Columns(*[None] * len(_NAMES))
_WITHOUT_POLICY = _UNKNOWN._replace(**{_POLICY: False})


def _parse_time(text):
    # PostgreSQL omits trailing zeros, and Python 3.10 parses only three or six
    # digits.
    whole, _, fraction = text.partition('.')
    return datetime.datetime.fromisoformat(f'{whole}.{fraction:0<6}')


# For times, for JSON inside of JSON, and for booleans, which are 1 in MariaDB.
_PARSERS = {'locked_at': _parse_time,
            'delete_protected_at': _parse_time,
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
    """Add the columns to heat.db.models.Stack, unless they are there.

    Call it before the first query: statements that SQLAlchemy has already
    compiled would not have the columns. It cannot be undone in a process,
    because SQLAlchemy cannot unmap a column.
    """
    table = heat_models.Stack.__table__
    for column in models.stack_columns():
        if column.name not in table.columns:
            setattr(heat_models.Stack, column.name, orm.deferred(column))
    if not hasattr(heat_models.Stack, _GATHERED):
        setattr(heat_models.Stack, _GATHERED, orm.column_property(
            _gather_columns(table.columns)))


def _gather_columns(columns):
    are_null = [columns[name].is_(None) for name in _SIGNIFICANT]
    return sqlalchemy.case(
        (sqlalchemy.and_(*are_null, columns[_POLICY].is_(False)),
         sqlalchemy.null()),
        # A literal, because each statement would have a parameter.
        (sqlalchemy.and_(*are_null, columns[_POLICY].is_(None)),
         sqlalchemy.literal_column("''", sqlalchemy.Text())),
        else_=_JsonArray(*(columns[name] for name in _NAMES)))


def get_columns(stack):
    """Return the columns of heat-extras of a stack.

    :param stack: a heat.objects.stack.Stack or a row of
        heat.db.models.Stack.
    :returns: a :class:`Columns`.
    """
    parsed = getattr(stack, _ATTRIBUTE, None)
    return _parse_columns(vars(stack)) if parsed is None else parsed


def _parse_columns(loaded):
    if _GATHERED not in loaded:
        # The row was not read from the database, but has just been written.
        return Columns(*map(loaded.get, _NAMES))
    gathered = loaded[_GATHERED]
    if gathered is None:
        return _WITHOUT_POLICY
    if not gathered:
        return _UNKNOWN
    values = Columns(*jsonutils.loads(gathered))
    return values._replace(**{
        name: read(getattr(values, name)) for name, read in _PARSERS.items()
        if getattr(values, name) is not None})


def copy_columns(stack, db_stack):
    """Copy the columns of heat-extras from a row to an object of Heat.

    :param stack: the heat.objects.stack.Stack that Heat makes of the row.
    :param db_stack: the row of heat.db.models.Stack.
    """
    setattr(stack, _ATTRIBUTE, _parse_columns(vars(db_stack)))
