# SPDX-License-Identifier: Apache-2.0

"""The values of a plan as lines for people, without imports of Heat."""

from collections import abc
import difflib
import json
import os
import typing

Entry = dict[str, typing.Any]

#: The most lines of a difference, and the most characters of a line.
MOST_LINES, WIDTH = 10, 100

_HIDDEN, _NOT_SET = '(hidden)', '(not set)'
_VERBS = {'added': 'created', 'updated': 'updated', 'replaced': 'replaced'}
# What remains of the equal beginning of long values.
_SAME = 20


def format_values(entry: Entry, actions: abc.Mapping[str, str]
                  ) -> abc.Iterator[str]:
    """Yield the lines of the values of a resource, without line breaks.

    :param entry: of the list ``plan`` of a preview.
    :param actions: of all resources, by path.
    """
    parent = entry['path'].rpartition('/')[0]
    for value in entry.get('values') or ():
        mark = _describe_replacement(entry, value)
        if _is_long_text(value):
            lines = _format_difference(value['before'] or '',
                                       value['after'] or '')
            if lines:
                yield f'{value["path"]}:{mark}'
                yield from (f'  {line}' for line in lines)
                continue
        before, after = _show_both(value)
        if value['unknown']:
            after = _describe_sources(value['waits_for'], parent, actions)
        yield f'{value["path"]}: ' + (
            after if entry['action'] == 'added' else f'{before} -> {after}'
        ) + mark


def _describe_replacement(entry: Entry, value: Entry) -> str:
    if not value['forces_replacement'] or entry['action'] == 'added':
        return ''
    return '  # forces replacement' + (
        ' if it changes' if value['unknown'] else '')


def _is_long_text(value: Entry) -> bool:
    both = value['before'], value['after']
    return (not (value['hidden'] or value['unknown'])
            and all(isinstance(each, str | None) for each in both)
            and any('\n' in (each or '') for each in both))


def _format_difference(before: str, after: str) -> list[str]:
    """Return the lines that differ, at most :data:`MOST_LINES`."""
    lines = ['...' if line.startswith('@@') else _shorten(line)
             for line in list(difflib.unified_diff(
                 before.split('\n') if before else [],
                 after.split('\n') if after else [], n=1, lineterm=''))[3:]]
    more = len(lines) - MOST_LINES + 1
    return lines if more < 2 else [*lines[:MOST_LINES - 1],
                                   f'... ({more} more lines)']


def _show_both(value: Entry) -> tuple[str, str]:
    if value['hidden']:
        return _HIDDEN, _HIDDEN
    before, after = _show(value['before']), _show(value['after'])
    same = len(os.path.commonprefix([before, after])) - _SAME
    if same > 0 and max(len(before), len(after)) > WIDTH:
        before, after = (f'...{each[same:]}' for each in (before, after))
    return _shorten(before), _shorten(after)


def _show(value: typing.Any) -> str:
    return _NOT_SET if value is None else json.dumps(value,
                                                     ensure_ascii=False)


def _shorten(text: str) -> str:
    return text if len(text) <= WIDTH else f'{text[:WIDTH - 3]}...'


def _describe_sources(sources: list[Entry], parent: str,
                      actions: abc.Mapping[str, str]) -> str:
    if not sources:
        return '(known during the update)'
    texts = []
    for source in sources:
        path = f'{parent}/{source["name"]}' if parent else source['name']
        verb = _VERBS.get(actions.get(path, '') if source['kind']
                          == 'resource' else '', 'known')
        text = f'{source["kind"]} {source["name"]} is {verb}'
        texts.append(text + (f': {source["attribute"]}'
                             if source['attribute'] else ''))
    return f'(known after {", ".join(texts)})'
