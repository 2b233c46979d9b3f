# SPDX-License-Identifier: Apache-2.0

"""Tables that a terminal has room for.

Pure: nothing of Heat is imported.
"""

from collections import abc
import shutil
import sys
import textwrap
import typing

# Where there is no terminal that has a width.
WIDTH = 80

Rows = abc.Sequence[abc.Sequence[object]]


class Columns(typing.NamedTuple):
    """The columns of a table, by how much they are missed.

    :ivar essential: those that are always there.
    :ivar optional: those that come along where there is room, the ones that
        are missed most first.
    :ivar wrapped: those whose values may take several lines.
    :ivar is_list: whether the essential columns are all that is shown,
        whatever the width. A single row stays a row. Only the wrapped
        columns are broken to make the table fit, so that it can be wider.
    :ivar least: what a column is wrapped to at least.
    """

    essential: tuple[str, ...]
    optional: tuple[str, ...] = ()
    wrapped: tuple[str, ...] = ()
    is_list: bool = False
    least: int = 14


class Layout(typing.NamedTuple):
    """How rows are shown.

    :ivar names: of the columns, in their order.
    :ivar is_one: whether a single row is shown with a line for each column.
    :ivar widths: of the columns that are wrapped, by their names.
    """

    names: list[str]
    is_one: bool = False
    widths: abc.Mapping[str, int] = {}

    def wrap(self, name: str, value: object) -> object:
        """Break a value of a column into lines, if it has to be."""
        if name not in self.widths:
            return value
        return '\n'.join(textwrap.wrap(str(value), self.widths[name]))


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


def room(arguments: typing.Any, stream: typing.Any,
         is_list: bool = False) -> int:
    """Return how wide a table may be, and let cliff's formatter know.

    :param arguments: those that :func:`let_ask` has seen to.
    :param is_list: as of :class:`Columns`. cliff, which would break every
        column to fit a terminal, does it only if the user asks for it.
    """
    asked = arguments.max_width
    if asked is not None:
        limit = asked if asked > 0 else sys.maxsize
    else:
        is_whole = is_list and not stream.isatty()
        limit = sys.maxsize if is_whole else width(stream)
    arguments.max_width = sys.maxsize if is_list and asked is None else limit
    if arguments.fit_width:
        arguments.max_width = 0
    return limit


def choose(arguments: typing.Any, stream: typing.Any,
           names: abc.Sequence[str], rows: Rows,
           columns: Columns) -> Layout:
    """Decide how to show rows, by what was asked for and what there is room.

    :param arguments: those that :func:`let_ask` has seen to; cliff's formatter
        is let know the width.
    :returns: as :func:`layout` does; columns that were asked for are taken as
        they are, and fitted in.
    """
    space = room(arguments, stream, columns.is_list)
    if arguments.columns:
        asked = tuple(name for name in names if name in arguments.columns)
        found = layout(names, rows, columns._replace(
            essential=asked, optional=(), is_list=True), space)
        return Layout(list(arguments.columns), False, found.widths)
    return layout(names, rows, columns, space)


def layout(names: abc.Sequence[str], rows: Rows, columns: Columns,
           room: int) -> Layout:
    """Decide how to show rows.

    :param names: of all columns, in their order.
    :param room: in characters.
    """
    widths = {name: max(len(name), *(len(str(row[place])) for row in rows))
              if rows else len(name) for place, name in enumerate(names)}
    least = {name: min(width, max(columns.least, len(name)))
             if name in columns.wrapped else width
             for name, width in widths.items()}
    shown = list(columns.essential if columns.is_list else names)
    if _table(widths[name] for name in shown) <= room:
        return Layout([name for name in names if name in shown])
    if not columns.is_list:
        if len(rows) == 1:
            return Layout(shown, True)
        shown = _fitting(columns, least, room)
    spare = room - _table(least[name] for name in shown)
    return Layout([name for name in names if name in shown], False,
                  _shared(spare, least, {
                      name: widths[name] for name in shown
                      if widths[name] > least[name]}))


def _fitting(columns: Columns, least: abc.Mapping[str, int],
             room: int) -> list[str]:
    """Choose the columns that there is room for."""
    shown = list(columns.essential)
    for name in columns.optional:
        if _table(least[each] for each in (*shown, name)) <= room:
            shown.append(name)
    return shown


def _shared(spare: int, least: abc.Mapping[str, int],
            wanted: dict[str, int]) -> dict[str, int]:
    """Share what is left among the columns that are wrapped."""
    shares = {}
    for number, name in enumerate(sorted(wanted, key=wanted.__getitem__)):
        more = min(wanted[name] - least[name],
                   max(0, spare) // (len(wanted) - number))
        shares[name], spare = least[name] + more, spare - more
    return shares


def _table(widths: abc.Iterable[int]) -> int:
    # Each has a border and two blanks, and there is a border at the end.
    return sum(each + 3 for each in widths) + 1
