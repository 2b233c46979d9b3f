# SPDX-License-Identifier: Apache-2.0

"""A plan as a tree of changes for people, without imports of Heat."""

from collections import abc
import typing

from heat_extras.client import plan_values
from heat_extras import sanitize

Entry = dict[str, typing.Any]

_SYMBOLS = {'added': '+', 'updated': '~', 'replaced': '-/+', 'removed': '-',
            'unchanged': ' ', 'retained': '=', 'snapshot': '-'}
_UNKNOWN = '?'
# Terminal codes: green, yellow, magenta, red, cyan.
_COLORS = {'+': 32, '~': 33, '-/+': 35, '-': 31, _UNKNOWN: 36}
_RED = 31
_WIDTH = max(map(len, _SYMBOLS.values())) + 1
_TO = (('added', 'to add'), ('updated', 'to update'),
       ('replaced', 'to replace'), ('removed', 'to remove'))
# Only plans of deletions have these actions.
_OF_DELETIONS = (('snapshot', 'to remove after a snapshot'),
                 ('retained', 'to retain'))
_ORDERS = {'create_before_delete': 'the new resource is created first',
           'delete_before_create': 'the old resource is deleted first'}


class Row(typing.NamedTuple):
    """A resource in the tree: it changes, is stopped, or contains such.

    :ivar parent: the path of the nested stack that contains the resource, or
        an empty text.
    :ivar symbol: of the change, with a question mark if it may happen.
    :ivar notes: the values that change, other reasons of the change, and the
        order of a replacement.
    """

    parent: str
    name: str
    symbol: str
    entry: Entry
    notes: list[str]

    @property
    def depth(self) -> int:
        """Return the number of nested stacks around the resource."""
        return self.parent.count('/') + 1 if self.parent else 0


def is_change(entry: Entry) -> bool:
    """Return whether an update changes or may change a resource."""
    return (entry['action'], entry['certainty']) != ('unchanged', 'will')


def is_stopped(plan: abc.Iterable[Entry],
               stops: abc.Iterable[Entry]) -> bool:
    """Return whether the update is certainly stopped."""
    return any(stop['certainty'] == 'will' for stop in all_stops(plan, stops))


def is_rejected(plan: abc.Iterable[Entry],
                stops: abc.Iterable[Entry]) -> bool:
    """Return whether the update is certainly stopped before it starts."""
    return any((stop['certainty'], stop['when']) == ('will', 'before_start')
               for stop in all_stops(plan, stops))


def all_stops(plan: abc.Iterable[Entry],
              stops: abc.Iterable[Entry]) -> list[Entry]:
    """List the causes that stop an update, or may stop it."""
    return [*stops, *(each for entry in plan for each in entry['stops'])]


def list_rows(plan: list[Entry], encoding: str | None = None,
              with_values: bool = True) -> list[Row]:
    """List the resources of the tree, in the order of the plan.

    The texts are printable, as after :func:`make_printable`.
    """
    shown = _shown_paths(plan)
    actions = {entry['path']: entry['action'] for entry in plan}
    return [_row(make_printable({**entry, 'values': []}, encoding),
                 make_printable(_list_notes(entry, actions, with_values),
                                encoding))
            for entry in plan if entry['path'] in shown]


def format_lines(name: str, plan: list[Entry], stops: list[Entry],
                 colored: bool = False, encoding: str | None = None,
                 with_values: bool = True) -> abc.Iterator[str]:
    """Yield the lines of a tree, which are printable.

    :param name: of the stack.
    :param plan: the list ``plan`` of a preview.
    :param stops: the list ``plan_stops`` of a preview.
    :param colored: whether the terminal shows colors.
    :param encoding: as for :func:`make_printable`.
    """
    rows = list_rows(plan, encoding, with_values)
    # Only a stack without resources has an empty plan.
    if rows or not plan:
        yield name
    for row in rows:
        yield from _row_lines(row, colored)
    for stop in make_printable(stops, encoding):
        yield _stop_line(stop, '', colored)
    yield format_summary(plan)


def format_summary(plan: list[Entry]) -> str:
    """Return the line with the numbers of changes."""
    def number(action: str, certainty: str) -> int:
        return sum((entry['action'], entry['certainty'])
                   == (action, certainty) for entry in plan)

    parts = [', '.join(
        f'{number(action, "will")} {text}'
        for action, text in (*_TO, *_OF_DELETIONS)
        if (action, text) in _TO or number(action, 'will'))]
    possible = [f'{number(action, "may")} {text}' for action, text in _TO
                if number(action, 'may')]
    if possible:
        parts.append('possibly ' + ', '.join(possible))
    unknown = sum(entry['certainty'] == 'unknown' for entry in plan)
    parts.append(f'{number("unchanged", "will")} unchanged'
                 + (f', {unknown} unknown' if unknown else ''))
    return f'Plan: {"; ".join(parts)}.'


def format_stop(stop: Entry) -> str:
    """Return the sentence of a stop."""
    return f'{_stop_verb(stop)} by {stop["type"]}: {stop["message"]}'


def make_printable(value: typing.Any,
                   encoding: str | None = None) -> typing.Any:
    """Return a value of a response without control characters.

    :param encoding: as for :func:`heat_extras.sanitize.printable`.
    """
    if isinstance(value, dict):
        return {key: make_printable(each, encoding)
                for key, each in value.items()}
    if isinstance(value, list):
        return [make_printable(each, encoding) for each in value]
    return (sanitize.printable(value, encoding) if isinstance(value, str)
            else value)


def _shown_paths(plan: list[Entry]) -> set[str]:
    """Return the paths of changed and stopped entries and their parents."""
    paths = set()
    for entry in plan:
        if is_change(entry) or entry['stops']:
            names = entry['path'].split('/')
            paths |= {'/'.join(names[:count + 1])
                      for count in range(len(names))}
    return paths


def _list_notes(entry: Entry, actions: abc.Mapping[str, str],
                with_values: bool) -> list[str]:
    values = list(plan_values.format_values(entry, actions)
                  if with_values else ())
    shown = {value['property'] for value in entry.get('values') or ()
             } if with_values else set()
    notes = values + [reason['message'] for reason in entry['reasons']
                      if reason.get('property') not in shown]
    if entry['order'] and entry['certainty'] != 'unknown':
        notes.append(_ORDERS[entry['order']])
    return notes


def _row(entry: Entry, notes: list[str]) -> Row:
    parent, _slash, name = entry['path'].rpartition('/')
    symbol = (_UNKNOWN if entry['certainty'] == 'unknown'
              else _SYMBOLS[entry['action']])
    return Row(parent, name, symbol + (
        '?' if entry['certainty'] == 'may' else ''), entry, notes)


def _row_lines(row: Row, colored: bool) -> abc.Iterator[str]:
    margin = '  ' * (row.depth + 1)
    head = row.symbol.ljust(_WIDTH)
    color = _COLORS.get(row.symbol.removesuffix('?') or _UNKNOWN)
    resource_type = row.entry['resource_type']
    kind = f' ({resource_type})' if resource_type else ''
    yield f'{margin}{_paint(head, color, colored)} {row.name}{kind}'
    inner = margin + ' ' * (_WIDTH + 3)
    for note in row.notes:
        yield inner + note
    for stop in row.entry['stops']:
        yield _stop_line(stop, inner, colored)


def _stop_line(stop: Entry, margin: str, colored: bool) -> str:
    verb = _stop_verb(stop)
    return (margin + _paint(verb, _RED, colored)
            + format_stop(stop).removeprefix(verb))


def _stop_verb(stop: Entry) -> str:
    return 'Stopped' if stop['certainty'] == 'will' else 'May be stopped'


def _paint(text: str, color: int | None, colored: bool) -> str:
    return f'\033[{color}m{text}\033[0m' if colored and color else text
