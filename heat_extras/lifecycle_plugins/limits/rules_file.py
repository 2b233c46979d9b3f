# SPDX-License-Identifier: Apache-2.0

"""Read the operator's rules; an error names its line and its rule.

Pure: nothing of Heat is imported.
"""

import dataclasses
import typing

import jsonschema

from heat_extras.config_validation import yaml_file
from heat_extras.lifecycle_plugins.limits import pattern
from heat_extras.lifecycle_plugins.limits import schema

WARN = 'warn'

_OPTION = '[heat_extras] limits_file'

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
    return parse(yaml_file.read(_OPTION, path), path)


def parse(content: bytes | str, path: str) -> list[Rule]:
    """Make rules of the content of a file.

    :raises ActivationError: as :func:`load`.
    """
    found = yaml_file.parse(_OPTION, path, content, 'rules', 'rule')
    found.refuse([*_schema_problems(found.value), *found.repeated(),
                  *found.named(), *_rule_problems(found.entries())])
    return [_rule(entry) for entry in found.value['rules']]


def _rule(entry: dict) -> Rule:
    kind = _kinds(entry)[0]
    return Rule(
        name=entry['name'], kind=kind, what=entry[kind],
        message=entry.get('message', ''), mode=entry.get('mode', 'deny'),
        projects=tuple(entry.get('projects', ())),
        domains=tuple(entry.get('domains', ())))


def _kinds(entry: dict) -> list[str]:
    return [kind for kind in schema.KINDS if kind in entry]


def _schema_problems(value: object) -> yaml_file.Problems:
    validator = jsonschema.Draft7Validator(schema.SCHEMA)
    for error in validator.iter_errors(value):
        yield tuple(error.absolute_path), error.message


def _rule_problems(entries: list) -> yaml_file.Problems:
    # Beside those that the schema finds, so that nobody has to start twice:
    # an entry may be anything.
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict):
            continue
        place = ('rules', index)
        kinds = _kinds(entry)
        if len(kinds) != 1:
            yield place, (f'found {", ".join(kinds) or "nothing to check"}, '
                          f'wanted one of {", ".join(schema.KINDS)}')
        if isinstance(entry.get('property'), dict):
            yield from _property_problems(
                (*place, 'property'), entry['property'])


def _property_problems(place: yaml_file.Place, what: dict
                       ) -> yaml_file.Problems:
    found = [name for name in _CONDITIONS if name in what]
    if len(found) != 1:
        yield place, (f'found {", ".join(found) or "no condition"}, wanted '
                      f'one of {", ".join(_CONDITIONS)}')
    if isinstance(what.get('pattern'), str):
        try:
            pattern.usable(what['pattern'])
        except pattern.Unusable as error:
            yield (*place, 'pattern'), str(error)
