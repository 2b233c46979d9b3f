# SPDX-License-Identifier: Apache-2.0

"""Tables that a terminal has room for.

Pure: nothing of Heat is imported.
"""

from collections import abc
import shutil
import sys
import typing

# Where there is no terminal that has a width.
WIDTH = 80

Rows = abc.Sequence[abc.Sequence[object]]


class Columns(typing.NamedTuple):
    """The columns of a table, by how much they are missed.

    :ivar essential: those that are always there.
    :ivar optional: those that come along where there is room, the ones that
        are missed most first.
    """

    essential: tuple[str, ...]
    optional: tuple[str, ...] = ()


def width(stream: typing.Any) -> int:
    """Return how many columns of characters a stream has room for."""
    if not stream.isatty():
        return WIDTH
    return shutil.get_terminal_size((WIDTH, 0)).columns


def let_ask(parser: typing.Any) -> None:
    """Tell ``--max-width 0`` from none; cliff's default is 0, too.

    :param parser: with the arguments of cliff's formatters.
    """
    parser.set_defaults(max_width=parser.get_default('max_width') or None)


def room(arguments: typing.Any, stream: typing.Any) -> int:
    """Return how wide a table may be, and let cliff's formatter know.

    :param arguments: those that :func:`let_ask` has seen to.
    """
    asked = arguments.max_width
    found = (width(stream) if asked is None
             else asked if asked > 0 else sys.maxsize)
    arguments.max_width = 0 if arguments.fit_width else found
    return found


def choose(arguments: typing.Any, stream: typing.Any,
           names: abc.Sequence[str], rows: Rows,
           columns: Columns) -> tuple[list[str], bool]:
    """Decide how to show rows, by what was asked for and what there is room.

    :param arguments: those that :func:`let_ask` has seen to; cliff's formatter
        is let know the width.
    :returns: as :func:`layout` does; columns that were asked for are taken as
        they are, and fitted in.
    """
    space = room(arguments, stream)
    if arguments.columns:
        return list(arguments.columns), False
    return layout(names, rows, columns, space)


def layout(names: abc.Sequence[str], rows: Rows, columns: Columns,
           room: int) -> tuple[list[str], bool]:
    """Decide how to show rows.

    :param names: of all columns, in their order.
    :param room: in characters.
    :returns: the names of the columns to show; and whether a single row is
        too wide, and to be shown with a line for each of them.
    """
    widths = {name: max(len(name), *(len(str(row[place])) for row in rows))
              if rows else len(name) for place, name in enumerate(names)}
    if _table(widths.values()) <= room:
        return list(names), False
    if len(rows) == 1:
        return list(names), True
    shown = {name: widths[name] for name in columns.essential}
    for name in columns.optional:
        if _table([*shown.values(), widths[name]]) <= room:
            shown[name] = widths[name]
    return [name for name in names if name in shown], False


def _table(widths: abc.Iterable[int]) -> int:
    # Each has a border and two blanks, and there is a border at the end.
    return sum(each + 3 for each in widths) + 1
