# SPDX-License-Identifier: Apache-2.0

"""Tables of a few columns, whose long texts are broken to fit a terminal.

Pure: nothing of Heat is imported.
"""

from collections import abc
import shutil
import sys
import textwrap
import typing

# No column becomes narrower.
_LEAST = 11


class Columns(typing.NamedTuple):
    """The columns of a table; other formats and ``--long`` have all.

    :ivar names: the columns that a table has.
    :ivar wrapped: the columns whose values may take several lines.
    """

    names: tuple[str, ...]
    wrapped: tuple[str, ...] = ()


def room(arguments: typing.Any, stream: typing.Any) -> int:
    """Return how wide a table may be, in characters.

    :param arguments: the arguments of cliff's table formatter, which breaks
        all columns where the user names a width.
    """
    if arguments.max_width > 0:
        return arguments.max_width
    return (shutil.get_terminal_size().columns if stream.isatty()
            else sys.maxsize)


def select(names: abc.Sequence[str],
           rows: abc.Iterable[abc.Sequence[object]],
           wanted: abc.Collection[str]) -> tuple[list[str], list[tuple]]:
    """Return the names and values of some columns, in their order."""
    places = [place for place, name in enumerate(names) if name in wanted]
    return ([names[place] for place in places],
            [tuple(row[place] for place in places) for row in rows])


def wrap(names: abc.Sequence[str], rows: abc.Sequence[abc.Sequence[object]],
         wrapped: abc.Collection[str], room: int) -> list[tuple]:
    """Break long values into lines, so that the table fits.

    :param names: the columns of the rows.
    :param wrapped: the columns that may be broken.
    :param room: in characters.
    :returns: the rows.
    """
    sizes = [max(len(name), *(len(str(row[place])) for row in rows))
             for place, name in enumerate(names)] if rows else []
    least = [min(size, max(_LEAST, len(name))) if name in wrapped else size
             for name, size in zip(names, sizes, strict=False)]
    # Each column has a border and two blanks, and there is one more border.
    spare = max(0, room - sum(least) - 3 * len(names) - 1)
    broken = [place for place, size in enumerate(sizes) if size > least[place]]
    widths = dict(enumerate(sizes))
    for number, place in enumerate(sorted(broken, key=sizes.__getitem__)):
        more = min(sizes[place] - least[place],
                   spare // (len(broken) - number))
        widths[place], spare = least[place] + more, spare - more
    return [tuple('\n'.join(textwrap.wrap(str(value), widths[place]))
                  if widths[place] < sizes[place] else value
                  for place, value in enumerate(row)) for row in rows]
