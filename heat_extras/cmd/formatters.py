# SPDX-License-Identifier: Apache-2.0

"""Print rows with the options of openstack commands, like -f json or -c name.

The rows have texts of users. They must be safe for a terminal, which runs
control sequences, and for spreadsheets, which calculate formulas.
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
# These formatters escape all characters that are not ASCII.
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
        help='Format of the output (default: table).')
    parser.add_argument(
        '-c', '--column', dest='columns', action='append', default=[],
        metavar='COLUMN', help='Print this column. Repeat the option for '
                               'several columns.')
    parser.add_argument(
        '--long', action='store_true',
        help='Print all columns in a table. Other formats always have all '
             'columns.')
    for formatter in _FORMATTERS.values():
        formatter.add_argument_group(parser)


def print_rows(names, rows, arguments, columns=None, stream=None):
    """Print rows with the names of their columns.

    :param names: the names of the columns.
    :param rows: tuples of values. None is an empty value.
    :param arguments: a namespace with the options of :func:`add_arguments`.
    :param columns: a :class:`tables.Columns`. By default, a table has all
        columns.
    :param stream: a file, by default standard output.
    """
    stream = stream or sys.stdout
    arguments = _copy(arguments)
    rows = [tuple(_safe(each, arguments.formatter, stream) for each in row)
            for row in rows]
    columns = columns or tables.Columns(tuple(names))
    shown, rows = tables.select(names, rows,
                                _select_columns(names, arguments, columns))
    if arguments.formatter == _CSV:
        # cliff's formatter would write each backslash twice.
        csv.writer(stream, lineterminator='\n').writerows([shown, *rows])
    else:
        if arguments.formatter == _TABLE:
            rows = [tuple('' if each is None else each for each in row)
                    for row in rows]
            rows = tables.wrap(shown, rows, columns.wrapped,
                               tables.table_width(arguments, stream))
        _FORMATTERS[arguments.formatter].emit_list(shown, rows, stream,
                                                   arguments)
    # An error about the rows follows them, also if the output is a pipe.
    stream.flush()


def _copy(arguments):
    # The arguments of oslo.config cannot be set.
    return argparse.Namespace(**{name: getattr(arguments, name) for name in (
        'formatter', 'columns', 'long', *_ARGUMENTS)})


def _select_columns(names, arguments, columns):
    unknown = [name for name in arguments.columns if name not in names]
    if unknown:
        raise ColumnError(f'These columns do not exist: {", ".join(unknown)}. '
                          f'Expected any of {", ".join(names)}.')
    # Print the columns also for a list without rows.
    arguments.print_empty = True
    is_all = arguments.long or arguments.formatter != _TABLE
    return arguments.columns or (names if is_all else columns.names)


def _safe(value, formatter, stream):
    if formatter in _UNTOUCHED:
        return value
    safe = sanitize.csv_cell if formatter == _CSV else sanitize.printable
    return safe(value, sanitize.encoding_of(stream))


def error_text(prog, error):
    """Return the text of an error, with one line for each problem.

    :param error: an error that can have several problems as its arguments,
        or the first line of whose text is enough.
    """
    texts = str(error).splitlines()[:1] or [type(error).__name__]
    if isinstance(error, errors.HeatExtrasError) and len(error.args) > 1:
        texts = list(map(str, error.args))
    encoding = sanitize.encoding_of(sys.stderr)
    return '\n'.join(f'{prog}: {sanitize.printable(text, encoding)}'
                     for text in texts)
