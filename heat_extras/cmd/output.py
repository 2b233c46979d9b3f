# SPDX-License-Identifier: Apache-2.0

"""Print rows as a table, as JSON, or as CSV.

People's own words go to an operator's terminal, which would obey control
sequences in them, and into spreadsheets, which would calculate them.
"""

import csv
import sys

from oslo_serialization import jsonutils
import prettytable

from heat_extras import text as texts

FORMATS = ('table', 'json', 'csv')


def print_rows(names, rows, output_format, stream=None):
    """Print *rows* under *names*.

    :param names: the columns' names.
    :param rows: tuples of values, None for nothing.
    :param output_format: one of :data:`FORMATS`.
    :param stream: where to; standard output by default.
    """
    printer = {'table': _table, 'json': _json, 'csv': _csv}[output_format]
    printer(names, rows, stream or sys.stdout)


def _table(names, rows, stream):
    table = prettytable.PrettyTable(names)
    table.align = 'l'
    for row in rows:
        table.add_row([texts.printable(value, texts.encoding(stream))
                       for value in row])
    print(table, file=stream)


def _json(names, rows, stream):
    documents = [dict(zip(names, row, strict=True)) for row in rows]
    print(jsonutils.dumps(documents, indent=2), file=stream)


def _csv(names, rows, stream):
    writer = csv.writer(stream, lineterminator='\n')
    writer.writerow(names)
    writer.writerows([texts.cell(value, texts.encoding(stream))
                      for value in row] for row in rows)


def line(error):
    """Return the first line of an error, safe to print."""
    lines = str(error).splitlines() or [type(error).__name__]
    return texts.printable(lines[0], texts.encoding(sys.stderr))
