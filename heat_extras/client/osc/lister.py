# SPDX-License-Identifier: Apache-2.0

"""Lists whose texts are safe to print, and to open in a spreadsheet."""

import typing

from cliff import columns
from cliff import show
from osc_lib.command import command

from heat_extras.cli import tables
from heat_extras import sanitize

TABLE = 'table'

# The formatters of these escape all characters that are not ASCII.
_UNTOUCHED = ('json', 'yaml')


class SafeOutput:
    """Make the output of a command safe to print."""

    #: The cliff.app.App of the command.
    app: typing.Any

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
            parsed_args.max_width = tables.table_width(parsed_args,
                                                       self.app.stdout)
            parsed_args.columns = parsed_args.columns or [
                name for name, value in zip(names, values, strict=True)
                if value is not None]
        return show.ShowOne.produce_output(self, parsed_args, names, values)


class SafeLister(SafeOutput, command.Lister):
    """List texts of a server, which can be texts of any user.

    A table has the most important columns, or the columns that ``-c`` names.
    """

    #: The columns of a table, of all columns that take_action returns.
    shown: tables.Columns

    def produce_output(self, parsed_args, column_names, data):
        """Print the rows. Overrides cliff.lister.Lister.produce_output."""
        data = self.make_safe(data, parsed_args.formatter)
        if parsed_args.formatter != TABLE:
            return super().produce_output(parsed_args, column_names, data)
        return self._print_table(parsed_args, column_names, data)

    def _print_table(self, parsed_args, names, rows):
        parsed_args.columns = parsed_args.columns or list(self.shown.names)
        names, rows = tables.select(
            names, [tuple(map(_in_table, row)) for row in rows],
            parsed_args.columns)
        return super().produce_output(parsed_args, names, tables.wrap(
            names, rows, self.shown.wrapped,
            tables.table_width(parsed_args, self.app.stdout)))

    def print_to_stderr(self, line):
        """Print a line on standard error, after the rows so far."""
        stream = self.app.stderr
        # If the output is a pipe, earlier rows would be printed after the
        # line.
        self.app.stdout.flush()
        print(sanitize.printable(line, sanitize.encoding_of(stream)),
              file=stream)


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
