# SPDX-License-Identifier: Apache-2.0

"""Lists whose texts are safe to print, and to open in a spreadsheet."""

from cliff import columns
from cliff import show
from osc_lib.command import command

from heat_extras.cli import tables
from heat_extras import sanitize

TABLE = 'table'

# Their formatters write out by themselves what is not ASCII.
_UNTOUCHED = ('json', 'yaml')


class SafeLister(command.Lister):
    """List what a server says, which may be what anybody has written.

    A table has the columns that the terminal has room for. A single row that
    is too wide for it is shown field by field.
    """

    #: A :class:`tables.Columns`, by the columns that take_action returns.
    shown = tables.Columns(())

    def get_parser(self, prog_name):
        """Add arguments; overrides cliff.display.DisplayCommandBase."""
        parser = super().get_parser(prog_name)
        tables.let_ask(parser)
        return parser

    def produce_output(self, parsed_args, column_names, data):
        """Print the rows; overrides cliff.lister.Lister.produce_output."""
        if parsed_args.formatter not in _UNTOUCHED:
            stream = self.app.stdout
            safe = sanitize.cell if parsed_args.formatter == 'csv' else _line
            data = [tuple(_shown(value, safe, stream) for value in row)
                    for row in data]
        if parsed_args.formatter != TABLE:
            return super().produce_output(parsed_args, column_names, data)
        return self._print_table(parsed_args, column_names, data)

    def _print_table(self, parsed_args, names, rows):
        texts_of = [[_human(value) for value in row] for row in rows]
        layout = tables.choose(parsed_args, self.app.stdout, names, texts_of,
                               self.shown)
        parsed_args.columns = layout.names
        if layout.is_one:
            return show.ShowOne.produce_output(self, parsed_args, names,
                                               rows[0])
        return super().produce_output(parsed_args, names, [
            tuple(map(layout.wrap, names, row)) for row in texts_of])

    def say(self, line):
        """Print a line on standard error, away from the rows."""
        stream = self.app.stderr
        # In a pipe, rows that were printed before would come after the line.
        self.app.stdout.flush()
        print(sanitize.printable(line, sanitize.encoding(stream)), file=stream)


def _shown(value, safe, stream):
    encoding = sanitize.encoding(stream)
    if isinstance(value, columns.FormattableColumn):
        # It is a list of texts, or None.
        return type(value)([sanitize.printable(each, encoding)
                            for each in value.machine_readable()])
    return safe(value, encoding)


def _human(value):
    return (value.human_readable()
            if isinstance(value, columns.FormattableColumn) else value)


def _line(value, encoding):
    return (sanitize.printable(value, encoding) if isinstance(value, str)
            else value)
