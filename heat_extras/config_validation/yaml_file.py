# SPDX-License-Identifier: Apache-2.0

"""Validate a YAML file of an operator: a list of entries with names.

All problems are reported together, each with its entry and its key.

Pure: does not import Heat.
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

# PyYAML raises these errors for a tag like !!int with a value of another type,
# for a number with too many digits, and for a value that is nested too deep or
# contains itself.
_NO_YAML = (ValueError, LookupError, TypeError, AttributeError,
            RecursionError)

# The keys and indexes of a value, and the text of its problem.
Place = tuple[typing.Any, ...]
Problems = abc.Iterator[tuple[Place, str]]


@dataclasses.dataclass(frozen=True)
class YamlFile:
    """The content of a file.

    :param where: the option and the path, the begin of each message.
    :param value: the parsed content.
    :param key: the key of the list of entries.
    :param noun: the noun for an entry.
    """

    where: str
    value: typing.Any
    key: str
    noun: str

    def entries(self) -> list[typing.Any]:
        """Return the entries, which can have any type.

        If there is no list, there are no entries. So an error in an entry does
        not hide errors in other entries.
        """
        entries = (self.value.get(self.key) if isinstance(self.value, dict)
                   else None)
        return entries if isinstance(entries, list) else []

    def schema_problems(self, schema: dict) -> Problems:
        """List the values that do not conform to a JSON schema."""
        for error in jsonschema.Draft7Validator(schema).iter_errors(
                self.value):
            yield tuple(error.absolute_path), error.message

    def repeated_names(self) -> Problems:
        """List the entries that have the same name."""
        names = [self._name_of(index) for index in range(len(self.entries()))]
        counts = collections.Counter(names)
        for index, name in enumerate(names):
            if name is not None and counts[name] > 1:
                yield ((self.key, index),
                       f'another {self.noun} has the same name')

    def raise_problems(self, problems: abc.Iterable[tuple[Place, str]]
                       ) -> None:
        """Raise all problems as one error, in the order of their entries.

        :raises ActivationError: if there is a problem.
        """
        sentences = dict.fromkeys(
            f'{self.where}{self._describe(place)}: {text}' for place, text
            in sorted(problems, key=lambda problem: problem[0][1:2]))
        if sentences:
            raise errors.ActivationError(*sentences)

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
    """Return an error with an invalid value and the expected value."""
    return ValueError(
        f'{sanitize.quote(value)} is not valid: expected {expected}')


def read(option: str, path: str) -> bytes:
    """Read a file.

    :param option: the option with the path, as in messages.
    :raises ActivationError: if the file cannot be read.
    """
    try:
        return pathlib.Path(path).read_bytes()
    except OSError as error:
        raise errors.ActivationError(
            f'{option}: {path}: cannot be read: '
            f'{error.strerror or error}') from error


def parse(option: str, path: str, content: bytes | str, key: str, noun: str,
          loader: type = yaml.SafeLoader) -> YamlFile:
    """Parse the content of a file.

    :param loader: a safe loader of PyYAML.
    :raises ActivationError: if the content is not valid YAML.
    """
    where = f'{option}: {path}'
    try:
        text = content if isinstance(content, str) else content.decode()
        # bandit: all callers use safe loaders.
        value = yaml.load(text, _with_unique_keys(loader))  # nosec B506
        # This raises a ValueError if a value contains itself, or if a number
        # has more digits than Python prints.
        json.dumps(value, default=str, skipkeys=True)
        return YamlFile(where, value, key, noun)
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        line = f', line {mark.line + 1}' if mark else ''
        problem = getattr(error, 'problem', None) or error
        raise errors.ActivationError(
            f'{where}{line}: not valid YAML: '
            + ' '.join(str(problem).split())) from error
    except _NO_YAML as error:
        raise errors.ActivationError(
            f'{where}: not valid YAML: {error}') from error


def _with_unique_keys(base: typing.Any) -> type:
    # Without this, PyYAML uses the last of repeated keys without an error.
    class Loader(base):
        def construct_mapping(self, node: yaml.MappingNode,
                              deep: bool = False) -> typing.Any:
            seen = set()
            for key, _value in node.value:
                if isinstance(key.value, str) and key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        problem=f'the key "{key.value}" is repeated',
                        problem_mark=key.start_mark)
                if isinstance(key.value, str):
                    seen.add(key.value)
            return super().construct_mapping(node, deep)

    return Loader
