# SPDX-License-Identifier: Apache-2.0

"""Print rows as the openstack commands do: -f json, -c name and so on.

People's own words go to an operator's terminal, which would obey control
sequences in them, and into spreadsheets, which would calculate them.
"""

import argparse
import csv
import sys

from cliff.formatters import json_format
from cliff.formatters import table
from cliff.formatters import value
from cliff.formatters import yaml_format

from heat_extras.cli import tables
from heat_extras import errors
from heat_extras import sanitize

_TABLE, _CSV = 'table', 'csv'
_FORMATTERS = {
    _TABLE: table.TableFormatter(), 'json': json_format.JSONFormatter(),
    'value': value.ValueFormatter(),
    'yaml': yaml_format.YAMLFormatter()}
# They write out by themselves what is not ASCII.
_UNTOUCHED = ('json', 'yaml')

# The arguments that the formatters add and read.
_ARGUMENTS = ('noindent', 'max_width', 'fit_width', 'print_empty')


class ColumnError(errors.HeatExtrasError):
    """A requested column does not exist."""


def add_arguments(parser):
    """Add the options of a command that prints rows."""
    parser.add_argument(
        '-f', '--format', dest='formatter', default=_TABLE,
        choices=sorted([_CSV, *_FORMATTERS]),
        help='How to print the list (default: table).')
    parser.add_argument(
        '-c', '--column', dest='columns', action='append', default=[],
        metavar='COLUMN', help='Print this column; may be given several '
                               'times.')
    parser.add_argument(
        '--long', action='store_true',
        help='Print all columns in a table; other formats have all.')
    for formatter in _FORMATTERS.values():
        formatter.add_argument_group(parser)


def print_rows(names, rows, arguments, columns=None, stream=None):
    """Print *rows* under *names*.

    :param names: the columns' names.
    :param rows: tuples of values, None for nothing.
    :param arguments: has those of :func:`add_arguments`.
    :param columns: a :class:`tables.Columns`; by default, a table has all.
    :param stream: where to; standard output by default.
    """
    stream = stream or sys.stdout
    arguments = _copied(arguments)
    rows = [tuple(_safe(each, arguments.formatter, stream) for each in row)
            for row in rows]
    columns = columns or tables.Columns(tuple(names))
    shown, rows = tables.select(names, rows,
                                _wanted(names, arguments, columns))
    if arguments.formatter == _CSV:
        # That of cliff writes each backslash twice.
        csv.writer(stream, lineterminator='\n').writerows([shown, *rows])
        return
    if arguments.formatter == _TABLE:
        rows = tables.wrap(shown, rows, columns.wrapped,
                           tables.room(arguments, stream))
    _FORMATTERS[arguments.formatter].emit_list(shown, rows, stream, arguments)


def _copied(arguments):
    # Those of oslo.config can't be set.
    return argparse.Namespace(**{name: getattr(arguments, name) for name in (
        'formatter', 'columns', 'long', *_ARGUMENTS)})


def _wanted(names, arguments, columns):
    unknown = [name for name in arguments.columns if name not in names]
    if unknown:
        raise ColumnError(f'Column {", ".join(unknown)} does not exist: '
                          f'expected any of {", ".join(names)}.')
    # A list without rows shows its columns.
    arguments.print_empty = True
    is_all = arguments.long or arguments.formatter != _TABLE
    return arguments.columns or (names if is_all else columns.names)


def _safe(found, formatter, stream):
    if formatter in _UNTOUCHED:
        return found
    safe = sanitize.cell if formatter == _CSV else sanitize.printable
    return safe(found, sanitize.encoding(stream))


def line(error):
    """Return the first line of an error, safe to print."""
    lines = str(error).splitlines() or [type(error).__name__]
    return sanitize.printable(lines[0], sanitize.encoding(sys.stderr))
