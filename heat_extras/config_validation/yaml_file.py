# SPDX-License-Identifier: Apache-2.0

"""A YAML file of an operator's: a list of entries, each with a name.

All problems are reported at once, each with its entry and its key.

Pure: nothing of Heat is imported.
"""

import collections
from collections import abc
import dataclasses
import json
import pathlib
import typing

import jsonschema
import yaml

from heat_extras import errors
from heat_extras import sanitize

# What PyYAML raises for a tag like !!int whose value does not fit, for a
# number with too many digits, and for what is nested too deep or contains
# itself.
_NO_YAML = (ValueError, LookupError, TypeError, AttributeError,
            RecursionError)

# The keys and indexes that lead to a value, and what is wrong with it.
Place = tuple[typing.Any, ...]
Problems = abc.Iterator[tuple[Place, str]]


@dataclasses.dataclass(frozen=True)
class YamlFile:
    """The content of such a file.

    :param where: begins each message about it: the option and the path.
    :param value: what YAML makes of it.
    :param key: under which the entries are, and ``noun`` one of them.
    """

    where: str
    value: typing.Any
    key: str
    noun: str

    def entries(self) -> list[typing.Any]:
        """Return the entries, of any type; none where there is no list.

        So that an error in one does not hide errors in others.
        """
        found = (self.value.get(self.key) if isinstance(self.value, dict)
                 else None)
        return found if isinstance(found, list) else []

    def schema_problems(self, schema: dict) -> Problems:
        """List what does not fit a JSON schema."""
        for error in jsonschema.Draft7Validator(schema).iter_errors(
                self.value):
            yield tuple(error.absolute_path), error.message

    def repeated_names(self) -> Problems:
        """List the entries that have the same name."""
        names = [self._name_of(index) for index in range(len(self.entries()))]
        found = collections.Counter(names)
        for index, name in enumerate(names):
            if name is not None and found[name] > 1:
                yield ((self.key, index),
                       f'there is another {self.noun} of this name')

    def refuse(self, problems: abc.Iterable[tuple[Place, str]]) -> None:
        """Raise all problems, in the order of their entries.

        :raises ActivationError: unless there are none.
        """
        found = dict.fromkeys(
            f'{self.where}{self._describe(place)}: {text}' for place, text
            in sorted(problems, key=lambda problem: problem[0][1:2]))
        if found:
            raise errors.ActivationError(*found)

    def _name_of(self, index: int) -> str | None:
        entry = self.entries()[index]
        name = entry.get('name') if isinstance(entry, dict) else None
        return name if isinstance(name, str) and name else None

    def _describe(self, place: Place) -> str:
        if len(place) < 2 or place[0] != self.key:
            return ''
        name = self._name_of(place[1])
        keys = '.'.join(map(str, place[2:]))
        return (f', {self.noun} '
                + (f'number {place[1] + 1}' if name is None
                   else sanitize.printable(name))
                + (f': {keys}' if keys else ''))


def not_valid(value: object, expected: str) -> ValueError:
    """Return the error of a value that is not what is expected."""
    return ValueError(
        f'{sanitize.quote(value)} is not valid: expected {expected}')


def read(option: str, path: str) -> bytes:
    """Read a file.

    :param option: that names it, as it is written in messages.
    :raises ActivationError: when it cannot be read.
    """
    try:
        return pathlib.Path(path).read_bytes()
    except OSError as error:
        raise errors.ActivationError(
            f'{option}: {path}: cannot be read: '
            f'{error.strerror or error}') from error


def parse(option: str, path: str, content: bytes | str, key: str, noun: str,
          loader: type = yaml.SafeLoader) -> YamlFile:
    """Make a document of the content of a file.

    :param loader: of PyYAML, a safe one.
    :raises ActivationError: when it is not valid YAML.
    """
    where = f'{option}: {path}'
    try:
        text = content if isinstance(content, str) else content.decode()
        # bandit: all that are handed in are safe.
        value = yaml.load(text, _with_unique_keys(loader))  # nosec B506
        # A ValueError for what contains itself, and for a number with more
        # digits than Python writes.
        json.dumps(value, default=str, skipkeys=True)
        return YamlFile(where, value, key, noun)
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        line = f', line {mark.line + 1}' if mark else ''
        said = getattr(error, 'problem', None) or error
        raise errors.ActivationError(
            f'{where}{line}: not valid YAML: '
            + ' '.join(str(said).split())) from error
    except _NO_YAML as error:
        raise errors.ActivationError(
            f'{where}: not valid YAML: {error}') from error


def _with_unique_keys(base: typing.Any) -> type:
    # PyYAML silently takes the last of repeated keys.
    class Loader(base):
        def construct_mapping(self, node: yaml.MappingNode,
                              deep: bool = False) -> typing.Any:
            seen = set()
            for key, _value in node.value:
                if isinstance(key.value, str) and key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        problem=f'key {key.value} is repeated',
                        problem_mark=key.start_mark)
                if isinstance(key.value, str):
                    seen.add(key.value)
            return super().construct_mapping(node, deep)

    return Loader
