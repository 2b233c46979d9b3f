# SPDX-License-Identifier: Apache-2.0

"""Select columns for a table, and wrap long texts to fit the terminal.

Pure: does not import Heat.
"""

from collections import abc
import re
import shutil
import sys
import textwrap
import typing

# The minimum width of a column, and of a column with times, which are broken
# after the month.
_LEAST, _LEAST_OF_TIMES = 11, len('24T18:00:00Z')
_TIME = re.compile(r'\d{4}-\d\d-\d\dT')


class Columns(typing.NamedTuple):
    """The columns of a table. Other formats and ``--long`` have all columns.

    :ivar names: the names of the columns.
    :ivar wrapped: the columns whose values can have several lines.
    """

    names: tuple[str, ...]
    wrapped: tuple[str, ...] = ()


def table_width(arguments: typing.Any, stream: typing.Any) -> int:
    """Return the maximum width of a table, in characters.

    :param arguments: the arguments of cliff's table formatter. If a user sets
        a width, cliff wraps all columns.
    """
    if arguments.max_width > 0:
        return arguments.max_width
    return (shutil.get_terminal_size().columns if stream.isatty()
            else sys.maxsize)


def select(names: abc.Sequence[str],
           rows: abc.Iterable[abc.Sequence[object]],
           selected: abc.Collection[str]) -> tuple[list[str], list[tuple]]:
    """Return the names and values of the selected columns, in their order."""
    places = [place for place, name in enumerate(names) if name in selected]
    return ([names[place] for place in places],
            [tuple(row[place] for place in places) for row in rows])


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
