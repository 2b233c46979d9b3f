# SPDX-License-Identifier: Apache-2.0

"""The values of a property that an update changes, by their paths.

Pure: does not import Heat.
"""

from collections import abc
import dataclasses
import itertools
import json
import os
import re
import typing

#: The most paths of one property. Beyond, the whole property is one value.
MOST_PATHS = 50
#: The most characters of a value, and of a value after TOTAL characters.
SIZE, SHORT_SIZE = 4_000, 100
#: The number of characters in a plan after which values are short.
TOTAL = 1_000_000

# What remains of an equal beginning of two long texts.
_BEFORE_DIFFERENCE = 200

_PLAIN_KEY = re.compile(r'[\w-]+')

Path = tuple[str | int, ...]


class Hidden(typing.Protocol):
    """Decides which parts of a resource's properties are hidden."""

    def is_hidden(self, path: Path) -> bool:
        """Return whether a part and the names in it are hidden."""

    def has_hidden(self, path: Path) -> bool:
        """Return whether a part is hidden, or has a part that is hidden."""


@dataclasses.dataclass(frozen=True)
class Difference:
    """A part of a property that differs after an update.

    :param before: the value now, or None if there is none.
    :param after: the value then, or None if there is none.
    :param is_hidden: whether the values can come from a hidden parameter.
    :param is_unknown: whether the value then is not known yet.
    :param is_truncated: whether a part of a value is missing.
    """

    path: Path
    before: typing.Any = None
    after: typing.Any = None
    is_hidden: bool = False
    is_unknown: bool = False
    is_truncated: bool = False

    @property
    def size(self) -> int:
        """The number of characters of both values."""
        return sum(len(_to_text(each)) for each in (self.before, self.after))

    def truncate(self, size: int) -> 'Difference':
        """Return the difference with at most *size* characters a value."""
        before, after = self.before, self.after
        if isinstance(before, str) and isinstance(after, str) and (
                max(len(before), len(after)) > size):
            before, after = _without_beginning(before, after)
        before, after = _truncate(before, size), _truncate(after, size)
        is_same = (before, after) == (self.before, self.after)
        return dataclasses.replace(
            self, before=before, after=after,
            is_truncated=self.is_truncated or not is_same)


def format_path(path: Path) -> str:
    """Return a path like ``networks[0].port``."""
    text = ''.join(
        f'[{json.dumps(each, ensure_ascii=False)}]'
        if isinstance(each, int) or not _PLAIN_KEY.fullmatch(each)
        else f'.{each}' for each in path)
    return text.removeprefix('.')


def find_differences(key: str, before: typing.Any, after: typing.Any,
                     marker: str, hidden: Hidden) -> list[Difference]:
    """List the differences of a property, each value truncated.

    :param marker: in place of each value that is not known.
    """
    found = list(_compare((key,), before, after, marker, hidden))
    if len(found) > MOST_PATHS or (
            len(found) > 1 and sum(each.size for each in found) > 2 * SIZE):
        is_hidden = hidden.has_hidden((key,))
        is_unknown = any(each.is_unknown for each in found)
        found = [Difference((key,), None if is_hidden else before,
                            None if is_hidden or is_unknown else after,
                            is_hidden, is_unknown)]
    return [each.truncate(SIZE) for each in found]


def _compare(path: Path, before: typing.Any, after: typing.Any, marker: str,
             hidden: Hidden) -> abc.Iterator[Difference]:
    def go(key: str | int, old: typing.Any, new: typing.Any
           ) -> abc.Iterator[Difference]:
        return _compare((*path, key), old, new, marker, hidden)

    is_unknown = _contains(after, marker)
    if not is_unknown and _is_equal(before, after):
        return
    if hidden.is_hidden(path):
        yield Difference(path, is_hidden=True, is_unknown=is_unknown)
        return
    kinds = type(before), type(after)
    has_hidden = hidden.has_hidden(path)
    has_parts = has_hidden or is_unknown and before is None
    if kinds == (dict, dict) or dict in kinds and has_parts:
        old, new = (each if isinstance(each, dict) else {}
                    for each in (before, after))
        for key in sorted({*old, *new}):
            yield from go(key, old.get(key), new.get(key))
    elif kinds == (list, list) or kinds[1] is list and has_parts:
        old, new = before if kinds[0] is list else [], after
        start, ends = _find_middle(old, new)
        for index, pair in enumerate(itertools.zip_longest(
                old[start:ends[0]], new[start:ends[1]]), start):
            yield from go(index, *pair)
    else:
        yield Difference(path, before, None if is_unknown else after,
                         is_unknown=is_unknown)


def _find_middle(old: list[typing.Any], new: list[typing.Any]
                 ) -> tuple[int, tuple[int, int]]:
    """Return where the equal beginning and the equal end of lists meet.

    :returns: the first index that differs, and the end in each list.
    """
    most = min(len(old), len(new))
    start = next((index for index in range(most)
                  if not _is_equal(old[index], new[index])), most)
    end = next((count for count in range(most - start)
                if not _is_equal(old[-1 - count], new[-1 - count])),
               most - start)
    return start, (len(old) - end, len(new) - end)


def _is_equal(before: typing.Any, after: typing.Any) -> bool:
    if isinstance(before, dict | list | None) or isinstance(
            after, dict | list | None):
        return bool(before == after)
    # Heat converts them: ``"8"`` and 8, ``"true"`` and True are the same.
    return str(before) == str(after) or (
        bool in (type(before), type(after))
        and str(before).lower() == str(after).lower())


def _contains(value: typing.Any, marker: str) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(_contains(each, marker) for each in value)
    return bool(value == marker)


def _to_text(value: typing.Any) -> str:
    return value if isinstance(value, str) else json.dumps(
        value, ensure_ascii=False, default=str)


def _truncate(value: typing.Any, size: int) -> typing.Any:
    text = _to_text(value)
    return value if len(text) <= size else (
        f'{text[:size]}... ({len(text) - size} more characters)')


def _without_beginning(before: str, after: str) -> tuple[str, str]:
    same = len(os.path.commonprefix([before, after])) - _BEFORE_DIFFERENCE
    start = before.rfind('\n', 0, max(same, 0)) + 1 or max(same, 0)
    mark = f'({start} equal characters) ...' if start else ''
    return mark + before[start:], mark + after[start:]
