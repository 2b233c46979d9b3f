# SPDX-License-Identifier: Apache-2.0

"""Lists whose texts are safe to print, and to open in a spreadsheet.

The texts are of users. A terminal runs control sequences, and a spreadsheet
calculates formulas.
"""

import argparse
from collections import abc
import itertools
import re
import shutil
import sys
import textwrap
import types
import typing

from cliff import columns
from cliff import display
from cliff import show
from osc_lib.command import command

from heat_extras import operator_errors
from heat_extras.output import help_text
from heat_extras import sanitize

TABLE = 'table'

# The minimum width of a column, and of a column with times, which are broken
# after the month.
_LEAST, _LEAST_OF_TIMES = 11, len('24T18:00:00Z')
_TIME = re.compile(r'\d{4}-\d\d-\d\dT')

# The formatters of these escape all characters that are not ASCII.
_UNTOUCHED = ('json', 'yaml')

# The options of cliff that its formatters read.
_OPTIONS = ('formatter', 'columns', 'quote_mode', 'noindent', 'max_width',
            'fit_width', 'sort_columns', 'sort_direction')


class ColumnError(operator_errors.HeatExtrasError):
    """A requested column does not exist."""


class Columns(typing.NamedTuple):
    """The columns of a table. Other formats and ``--long`` have all columns.

    :ivar names: the names of the columns.
    :ivar wrapped: the columns whose values can have several lines.
    """

    names: tuple[str, ...]
    wrapped: tuple[str, ...] = ()


class SafeOutput(display.DisplayCommandBase):
    """Make the output of a command safe to print.

    The help of the command is the docstring of its class.
    """

    #: The cliff.app.App of the command.
    app: typing.Any

    def get_parser(self, prog_name):
        """Create the parser. Overrides cliff.command.Command.get_parser."""
        parser = super().get_parser(prog_name)
        help_text.use_docstring(parser)
        self.add_arguments(parser)
        return parser

    def add_arguments(self, parser):
        """Add the arguments of the command."""

    @property
    def heat(self):
        """Return the client of python-heatclient."""
        return self.app.client_manager.orchestration

    def make_safe(self, rows, formatter):
        """Return rows that a terminal or spreadsheet does not interpret."""
        if formatter in _UNTOUCHED:
            return rows
        stream = self.app.stdout
        safe = sanitize.csv_cell if formatter == 'csv' else _line
        return [tuple(_safe_value(value, safe, stream) for value in row)
                for row in rows]

    def print_fields(self, parsed_args, names, values):
        """Print names and values, as "stack show" does.

        A table has no fields without a value, unless ``-c`` names them.
        """
        values, = self.make_safe([values], parsed_args.formatter)
        if parsed_args.formatter == TABLE:
            parsed_args.max_width = table_width(parsed_args, self.app.stdout)
            parsed_args.columns = parsed_args.columns or [
                name for name, value in zip(names, values, strict=True)
                if value is not None]
        return show.ShowOne.produce_output(self, parsed_args, names, values)


class SafeLister(SafeOutput, command.Lister):
    """List texts of a server, which can be texts of any user.

    A table has the most important columns, or the columns that ``-c`` names.
    """

    #: The columns of a table, of all columns that take_action returns.
    shown: Columns

    def produce_output(self, parsed_args, column_names, data):
        """Print the rows. Overrides cliff.lister.Lister.produce_output."""
        data = self.make_safe(data, parsed_args.formatter)
        if parsed_args.formatter != TABLE:
            return super().produce_output(parsed_args, column_names, data)
        return self._print_table(parsed_args, column_names, data)

    def _print_table(self, parsed_args, names, rows):
        parsed_args.columns = parsed_args.columns or list(self.shown.names)
        wanted = set(map(_normalize, parsed_args.columns))
        # If no column is wanted, cliff reports all that exist.
        selected = [_normalize(name) in wanted or wanted.isdisjoint(
            map(_normalize, names)) for name in names]
        names = list(itertools.compress(names, selected))
        rows = [tuple(map(_in_table, itertools.compress(row, selected)))
                for row in rows]
        return super().produce_output(parsed_args, names, wrap(
            names, rows, self.shown.wrapped,
            table_width(parsed_args, self.app.stdout)))

    def print_to_stderr(self, line):
        """Print a line on standard error, after the rows so far."""
        stream = self.app.stderr
        # If the output is a pipe, earlier rows would be printed after the
        # line.
        self.app.stdout.flush()
        print(sanitize.printable(line, sanitize.encoding_of(stream)),
              file=stream)


def _normalize(name):
    # Like cliff.display.DisplayCommandBase.
    return name.lower().replace(' ', '_')


def _safe_value(value, safe, stream):
    encoding = sanitize.encoding_of(stream)
    if isinstance(value, columns.FormattableColumn):
        # It is a list of texts, or None.
        return type(value)([sanitize.printable(each, encoding)
                            for each in value.machine_readable()])
    return safe(value, encoding)


def _in_table(value):
    if isinstance(value, columns.FormattableColumn):
        return value.human_readable()
    return '' if value is None else value


def _line(value, encoding):
    return (sanitize.printable(value, encoding) if isinstance(value, str)
            else value)


class _Rows(SafeLister):

    app_dist_name = 'heat-extras'

    def add_arguments(self, parser):
        parser.add_argument(
            '--long', action='store_true',
            help='Print all columns in a table. Other formats always have all '
                 'columns.')

    def take_action(self, parsed_args):
        return self.names, self.rows


def create_parser(prog):
    """Create the parser of a command that prints rows."""
    return _Rows(types.SimpleNamespace(), None).get_parser(prog)


def print_rows(names, rows, arguments, columns):
    """Print rows with the names of their columns.

    :param names: the names of the columns.
    :param rows: tuples of values. None is an empty value.
    :param arguments: an object with the options of :func:`create_parser`.
    :param columns: a :class:`Columns`.
    """
    unknown = [name for name in arguments.columns if name not in names]
    if unknown:
        raise ColumnError(f'These columns do not exist: {", ".join(unknown)}. '
                          f'Expected any of {", ".join(names)}.')
    command = _Rows(types.SimpleNamespace(stdout=sys.stdout), None)
    command.names, command.rows = names, rows
    command.shown = Columns(names, columns.wrapped) if (
        arguments.long) else columns
    # The arguments of oslo.config cannot be set. Print the columns also for a
    # list without rows.
    command.run(argparse.Namespace(print_empty=True, **{
        name: getattr(arguments, name) for name in _OPTIONS}))
    # An error about the rows follows them, also if the output is a pipe.
    sys.stdout.flush()


def table_width(arguments: typing.Any, stream: typing.Any) -> int:
    """Return the maximum width of a table, in characters.

    :param arguments: the arguments of cliff's table formatter. If a user sets
        a width, cliff wraps all columns.
    """
    if arguments.max_width > 0:
        return arguments.max_width
    return (shutil.get_terminal_size().columns if stream.isatty()
            else sys.maxsize)


def wrap(names: abc.Sequence[str], rows: abc.Sequence[abc.Sequence[object]],
         wrapped: abc.Collection[str], width: int) -> list[tuple]:
    """Wrap long values, so that the table is not too wide.

    :param names: the columns of the rows.
    :param wrapped: the columns that can be wrapped.
    :param width: the maximum width of the table, in characters.
    :returns: the rows.
    """
    sizes = [max(len(name), *(len(str(row[place])) for row in rows))
             for place, name in enumerate(names)] if rows else []
    least = [min(size, max(_least(row[place] for row in rows), len(name)))
             if name in wrapped else size for place, (name, size)
             in enumerate(zip(names, sizes, strict=False))]
    # Each column has a border and two blanks, and there is one more border.
    spare = max(0, width - sum(least) - 3 * len(names) - 1)
    broken = [place for place, size in enumerate(sizes) if size > least[place]]
    widths = dict(enumerate(sizes))
    for number, place in enumerate(sorted(broken, key=sizes.__getitem__)):
        more = min(sizes[place] - least[place],
                   spare // (len(broken) - number))
        widths[place], spare = least[place] + more, spare - more
    return [tuple('\n'.join(textwrap.wrap(str(value), widths[place]))
                  if widths[place] < sizes[place] else value
                  for place, value in enumerate(row)) for row in rows]


def _least(values: abc.Iterable[object]) -> int:
    return max(_LEAST_OF_TIMES if isinstance(value, str) and _TIME.match(value)
               else _LEAST for value in values)
