# SPDX-License-Identifier: Apache-2.0

"""Lists whose texts are safe to print, and to open in a spreadsheet."""

from cliff import columns
from osc_lib.command import command

from heat_extras import text as texts

# Their formatters write out by themselves what is not ASCII.
_UNTOUCHED = ('json', 'yaml')


class SafeLister(command.Lister):
    """List what a server says, which may be what anybody has written."""

    def produce_output(self, parsed_args, column_names, data):
        """Print the rows; overrides cliff.lister.Lister.produce_output."""
        if parsed_args.formatter not in _UNTOUCHED:
            stream = self.app.stdout
            safe = texts.cell if parsed_args.formatter == 'csv' else _line
            data = [tuple(_shown(value, safe, stream) for value in row)
                    for row in data]
        return super().produce_output(parsed_args, column_names, data)

    def say(self, line):
        """Print a line on standard error, away from the rows."""
        stream = self.app.stderr
        print(texts.printable(line, texts.encoding(stream)), file=stream)


def _shown(value, safe, stream):
    encoding = texts.encoding(stream)
    if isinstance(value, columns.FormattableColumn):
        # It is a list of texts, or None.
        return type(value)([texts.printable(each, encoding)
                            for each in value.machine_readable()])
    return safe(value, encoding)


def _line(value, encoding):
    return (texts.printable(value, encoding) if isinstance(value, str)
            else value)
