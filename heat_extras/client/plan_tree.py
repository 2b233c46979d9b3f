# SPDX-License-Identifier: Apache-2.0

"""A plan as a tree of changes for the terminal, without imports of Heat."""

from collections import abc
import typing

Entry = dict[str, typing.Any]

_SYMBOLS = {'added': '+', 'updated': '~', 'replaced': '-/+', 'removed': '-',
            'unchanged': ' '}
_UNKNOWN = '?'
# Terminal codes: green, yellow, magenta, red, cyan.
_COLORS = {'+': 32, '~': 33, '-/+': 35, '-': 31, _UNKNOWN: 36}
_RED = 31
_WIDTH = max(map(len, _SYMBOLS.values())) + 1
_TO = (('added', 'to add'), ('updated', 'to update'),
       ('replaced', 'to replace'), ('removed', 'to remove'))
_ORDERS = {'create_before_delete': 'the new one is created first',
           'delete_before_create': 'the old one is deleted first'}


def is_change(entry: Entry) -> bool:
    """Return whether an update changes or may change a resource."""
    return (entry['action'], entry['certainty']) != ('unchanged', 'will')


def is_stopped(plan: abc.Iterable[Entry],
               stops: abc.Iterable[Entry]) -> bool:
    """Return whether the update is certainly stopped."""
    return any(stop['certainty'] == 'will' for stop in (
        *stops, *(each for entry in plan for each in entry['stops'])))


def format_lines(name: str, plan: list[Entry], stops: list[Entry],
                 colored: bool = False) -> abc.Iterator[str]:
    """Yield the lines of a tree.

    :param name: of the stack.
    :param plan: the list ``plan`` of a preview.
    :param stops: the list ``plan_stops`` of a preview.
    :param colored: whether the terminal shows colors.
    """
    shown = _shown_paths(plan)
    if shown:
        yield name
    for entry in plan:
        if entry['path'] in shown:
            yield from _entry_lines(entry, colored)
    for stop in stops:
        yield _stop_line(stop, '', colored)
    yield format_summary(plan)


def format_summary(plan: list[Entry]) -> str:
    """Return the line with the numbers of changes."""
    def number(action: str, certainty: str) -> int:
        return sum((entry['action'], entry['certainty'])
                   == (action, certainty) for entry in plan)

    parts = [', '.join(f'{number(action, "will")} {text}'
                       for action, text in _TO)]
    possible = [f'{number(action, "may")} {text}' for action, text in _TO
                if number(action, 'may')]
    if possible:
        parts.append('possibly ' + ', '.join(possible))
    unknown = sum(entry['certainty'] == 'unknown' for entry in plan)
    parts.append(f'{number("unchanged", "will")} unchanged'
                 + (f', {unknown} unknown' if unknown else ''))
    return f'Plan: {"; ".join(parts)}.'


def _shown_paths(plan: list[Entry]) -> set[str]:
    """Return the paths of changed and stopped entries and their parents."""
    paths = set()
    for entry in plan:
        if is_change(entry) or entry['stops']:
            names = entry['path'].split('/')
            paths |= {'/'.join(names[:count + 1])
                      for count in range(len(names))}
    return paths


def _entry_lines(entry: Entry, colored: bool) -> abc.Iterator[str]:
    name = entry['path'].rpartition('/')[2]
    margin = '  ' * (entry['path'].count('/') + 1)
    symbol = (_UNKNOWN if entry['certainty'] == 'unknown'
              else _SYMBOLS[entry['action']])
    doubt = '?' if entry['certainty'] == 'may' else ''
    head = (symbol + doubt).ljust(_WIDTH)
    kind = f' ({entry["resource_type"]})' if entry['resource_type'] else ''
    yield f'{margin}{_paint(head, _COLORS.get(symbol), colored)} {name}{kind}'
    inner = margin + ' ' * (_WIDTH + 3)
    for reason in entry['reasons']:
        yield inner + reason['message']
    if entry['order'] and symbol != _UNKNOWN:
        yield inner + _ORDERS[entry['order']]
    for stop in entry['stops']:
        yield _stop_line(stop, inner, colored)


def _stop_line(stop: Entry, margin: str, colored: bool) -> str:
    word = 'Stopped' if stop['certainty'] == 'will' else 'May be stopped'
    return (f'{margin}{_paint(word, _RED, colored)} by {stop["type"]}: '
            f'{stop["message"]}')


def _paint(text: str, color: int | None, colored: bool) -> str:
    return f'\033[{color}m{text}\033[0m' if colored and color else text
