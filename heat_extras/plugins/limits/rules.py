# SPDX-License-Identifier: Apache-2.0

"""Read the operator's rules; an error names its line and its rule.

Pure: nothing of Heat is imported.
"""

from collections import abc
import dataclasses
import typing

import jsonschema
import yaml

from heat_extras import errors
from heat_extras.plugins.limits import pattern
from heat_extras.plugins.limits import schema

WARN = 'warn'

_OPTION = '[heat_extras] limits_file'

# What leads to a place in the document, and what is wrong there.
Place = tuple[typing.Any, ...]
Problems = abc.Iterator[tuple[Place, str]]

_CONDITIONS = ('any_of', 'contains_any_of', 'pattern')


@dataclasses.dataclass(frozen=True)
class Rule:
    """One rule.

    :param kind: one of ``schema.KINDS``, and ``what`` it says.
    :param projects: ids that it holds for; none for all. So with domains.
    """

    name: str
    kind: str
    what: typing.Any
    message: str = ''
    mode: str = 'deny'
    projects: tuple = ()
    domains: tuple = ()


def load(path: str) -> list[Rule]:
    """Read a file of rules.

    :raises ActivationError: with everything that is wrong with it.
    """
    try:
        with open(path, encoding='utf-8') as source:
            return parse(source.read(), path)
    except (OSError, UnicodeDecodeError) as error:
        said = getattr(error, 'strerror', None) or error
        raise errors.ActivationError(
            f'{_OPTION}: {path}: found {said}, wanted a readable YAML file'
        ) from error


def parse(text: str, path: str) -> list[Rule]:
    """Make rules of the text of a file.

    :raises ActivationError: as :func:`load`.
    """
    root, document = _read(text, path)
    entries = document.get('rules') if isinstance(document, dict) else None
    problems = [*_schema_problems(document), *_repeated_keys(root, ()),
                *_rule_problems(entries if isinstance(entries, list) else [])]
    if problems:
        found = sorted((_line(root, place), _rule_at(document, place), said)
                       for place, said in problems)
        raise errors.ActivationError(*(
            f'{_OPTION}: {path}, line {line}{rule}: {said}'
            for line, rule, said in found))
    return [_rule(entry) for entry in document['rules']]


def _read(text: str, path: str) -> tuple[yaml.Node | None, typing.Any]:
    try:
        return yaml.compose(text, yaml.SafeLoader), yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        where = f', line {mark.line + 1}' if mark else ''
        said = getattr(error, 'problem', None) or error
        raise errors.ActivationError(
            f'{_OPTION}: {path}{where}: found {said}, wanted YAML') from error


def _rule(entry: dict) -> Rule:
    kind = _kinds(entry)[0]
    return Rule(
        name=entry['name'], kind=kind, what=entry[kind],
        message=entry.get('message', ''), mode=entry.get('mode', 'deny'),
        projects=tuple(entry.get('projects', ())),
        domains=tuple(entry.get('domains', ())))


def _kinds(entry: dict) -> list[str]:
    return [kind for kind in schema.KINDS if kind in entry]


def _schema_problems(document: object) -> Problems:
    validator = jsonschema.Draft7Validator(schema.SCHEMA)
    for error in validator.iter_errors(document):
        yield tuple(error.absolute_path), error.message


def _repeated_keys(node: yaml.Node | None, place: Place) -> Problems:
    # PyYAML takes the last of them without a word.
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield from _repeated_keys(item, (*place, index))
    if isinstance(node, yaml.MappingNode):
        names = [key.value for key, _value in node.value]
        for key, value in node.value:
            if not isinstance(key.value, str):
                continue
            if names.count(key.value) > 1:
                yield (*place, key.value), f'found {key.value} twice'
            yield from _repeated_keys(value, (*place, key.value))


def _rule_problems(entries: list) -> Problems:
    # Beside those that the schema finds, so that nobody has to start twice:
    # an entry may be anything.
    rules = {index: entry for index, entry in enumerate(entries)
             if isinstance(entry, dict)}
    names = [entry.get('name') for entry in rules.values()]
    for index, entry in rules.items():
        place = ('rules', index)
        name = entry.get('name')
        if isinstance(name, str) and names.count(name) > 1:
            yield (*place, 'name'), 'found another rule of this name'
        kinds = _kinds(entry)
        if len(kinds) != 1:
            yield place, (f'found {", ".join(kinds) or "nothing to check"}, '
                          f'wanted one of {", ".join(schema.KINDS)}')
        if isinstance(entry.get('property'), dict):
            yield from _property_problems(
                (*place, 'property'), entry['property'])


def _property_problems(place: Place, what: dict) -> Problems:
    found = [name for name in _CONDITIONS if name in what]
    if len(found) != 1:
        yield place, (f'found {", ".join(found) or "no condition"}, wanted '
                      f'one of {", ".join(_CONDITIONS)}')
    if isinstance(what.get('pattern'), str):
        try:
            pattern.usable(what['pattern'])
        except pattern.Unusable as error:
            yield (*place, 'pattern'), str(error)


def _line(node: yaml.Node | None, place: Place) -> int:
    """Return the line of what is at a place, or of what is around it."""
    if node is None:
        return 1
    line = node.start_mark.line + 1
    for step in place:
        if isinstance(node, yaml.MappingNode):
            pairs = [pair for pair in node.value if pair[0].value == step]
            if not pairs:
                return line
            # The last one: of repeated keys that is the one in force.
            key, node = pairs[-1]
            line = key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and step < len(node.value):
            node = node.value[step]
            line = node.start_mark.line + 1
        else:
            return line
    return line


def _rule_at(document: typing.Any, place: Place) -> str:
    if len(place) < 2 or place[0] != 'rules':
        return ''
    entry = document['rules'][place[1]]
    name = entry.get('name') if isinstance(entry, dict) else None
    return f', rule {name if name else "number %d" % (place[1] + 1)}'
