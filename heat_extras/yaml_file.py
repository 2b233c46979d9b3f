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

from heat_extras import operator_errors
from heat_extras import sanitize

# PyYAML raises these errors for a tag like !!int with a value of another type,
# for a number with too many digits, and for a value that is nested too deep or
# contains itself.
_NO_YAML = (ValueError, LookupError, TypeError, AttributeError, RecursionError)

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
    :param repeated: sentences about repeated keys.
    """

    where: str
    value: typing.Any
    key: str
    noun: str
    repeated: tuple[str, ...] = ()

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
            for text in _describe_error(error):
                yield tuple(error.absolute_path), text

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
        sentences = dict.fromkeys((*self.repeated, *(
            f'{self.where}{self._describe(place)}: {text}' for place, text
            in sorted(problems, key=lambda problem: problem[0][1:2]))))
        if sentences:
            raise operator_errors.ActivationError(*sentences)

    def _name_of(self, index: int) -> str | None:
        entry = self.entries()[index]
        name = entry.get('name') if isinstance(entry, dict) else None
        return name if isinstance(name, str) and name else None

    def _describe(self, place: Place) -> str:
        if place == (self.key,):
            return f': {self.key}'
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


_TYPES = {'array': 'a list', 'boolean': 'true or false',
          'integer': 'a whole number', 'string': 'a text'}


def _describe_error(error: jsonschema.ValidationError) -> abc.Iterator[str]:
    """Describe what a value is, and what the schema expects."""
    value, wanted = error.instance, error.validator_value
    if error.validator == 'required':
        yield from (f'the key "{key}" is missing' for key in wanted
                    if key not in value)
    elif error.validator == 'additionalProperties':
        known = ', '.join(error.schema['properties'])
        yield from (f'the key {sanitize.quote(key)} is not valid: expected '
                    f'any of the keys {known}' for key in value
                    if key not in error.schema['properties'])
    elif value is None:
        yield f'no value: expected {_describe_expected(error)}'
    else:
        yield str(not_valid(value, _describe_expected(error)))


def _describe_expected(error: jsonschema.ValidationError) -> str:
    wanted = error.validator_value
    texts: dict[str, abc.Callable[[], str]] = {
        'type': lambda: _TYPES.get(wanted) or (
            f'keys with values, like {", ".join(error.schema["required"])}'),
        'enum': lambda: f'any of {", ".join(wanted)}',
        'minItems': lambda: 'at least one entry',
        'uniqueItems': lambda: 'each entry only once',
        'minLength': lambda: 'a text that is not empty',
        'maxLength': lambda: f'at most {wanted} characters',
        'minimum': lambda: f'{wanted} or more',
        'pattern': lambda: error.schema['description']}
    return texts[str(error.validator)]()


def read(option: str, path: str) -> bytes:
    """Read a file.

    :param option: the option with the path, as in messages.
    :raises ActivationError: if the file cannot be read.
    """
    try:
        return pathlib.Path(path).read_bytes()
    except OSError as error:
        raise operator_errors.ActivationError(
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
        repeated: list[tuple[int, str]] = []
        # bandit: all callers use safe loaders.
        value = yaml.load(  # nosec B506
            text, _recording_loader(loader, repeated))
        # This raises a ValueError if a value contains itself, or if a number
        # has more digits than Python prints.
        json.dumps(value, default=str, skipkeys=True)
        return YamlFile(where, value, key, noun, tuple(
            f'{where}, line {line}: the key "{name}" is repeated: expected '
            'each key only once' for line, name in repeated))
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        line = f', line {mark.line + 1}' if mark else ''
        problem = getattr(error, 'problem', None) or error
        raise operator_errors.ActivationError(
            f'{where}{line}: not valid YAML: '
            + ' '.join(str(problem).split())) from error
    except _NO_YAML as error:
        raise operator_errors.ActivationError(
            f'{where}: not valid YAML: {error}') from error


def _recording_loader(base: typing.Any,
                      repeated: list[tuple[int, str]]) -> type:
    # Without this, PyYAML uses the last of repeated keys without an error.
    class Loader(base):
        def construct_mapping(self, node: yaml.MappingNode,
                              deep: bool = False) -> typing.Any:
            seen = set()
            for key, _value in node.value:
                if isinstance(key.value, str) and key.value in seen:
                    repeated.append((key.start_mark.line + 1, key.value))
                if isinstance(key.value, str):
                    seen.add(key.value)
            return super().construct_mapping(node, deep)

    return Loader
