# SPDX-License-Identifier: Apache-2.0

"""Read the operator's rules. An error names its rule and its key.

A pattern is a regular expression in the syntax of RE2, whose time is linear in
the length of the text. For ``([a-z]+)*x`` and about thirty letters, Python's
own module takes a minute and blocks all other threads.

Pure: does not import Heat.
"""

from collections import abc
import dataclasses
import functools
import typing

from heat_extras import yaml_file

WARN = 'warn'

_OPTION = '[heat_extras] limits_file'

_CONDITIONS = ('any_of', 'contains_any_of', 'pattern')

# For so many characters, RE2 takes a second if the pattern is a bad one.
MAX_CHARACTERS = 65536

_NAMES = {'type': 'array', 'minItems': 1, 'uniqueItems': True,
          'items': {'type': 'string', 'minLength': 1}}
_NAME = {'type': 'string', 'minLength': 1}


def _object(required: list[str], **properties: dict) -> dict:
    return {'type': 'object', 'additionalProperties': False,
            'required': required, 'properties': properties}


# Each rule has one of these.
KINDS = {
    'limit': _object(['types', 'max', 'per'], types=_NAMES,
                     max={'type': 'integer', 'minimum': 0},
                     per={'enum': ['tree', 'project']}),
    'forbid': _NAMES,
    'require': _NAMES,
    'property': _object(['types', 'name'], types=_NAMES, name=_NAME,
                        any_of={'type': 'array', 'minItems': 1},
                        contains_any_of={'type': 'array', 'minItems': 1},
                        pattern=_NAME, optional={'type': 'boolean'}),
    'same': _object(['type', 'as', 'name'], type=_NAME, name=_NAME,
                    through=_NAMES, **{'as': _NAME}),
    'tags': _NAMES,
}

_RULE = _object(
    ['name'], name=_NAME, message=_NAME, mode={'enum': ['deny', 'warn']},
    projects=_NAMES, domains=_NAMES, **KINDS)

_SCHEMA = _object(['rules'], rules={'type': 'array', 'items': _RULE})


@dataclasses.dataclass(frozen=True)
class Rule:
    """One rule.

    :param kind: one of ``KINDS``.
    :param value: the value of this kind.
    :param projects: the IDs of its projects, or () for all.
    :param domains: the IDs of its domains, or () for all.
    """

    name: str
    kind: str
    value: typing.Any
    message: str = ''
    mode: str = 'deny'
    projects: abc.Sequence[str] = ()
    domains: abc.Sequence[str] = ()


def load_rules(path: str) -> list[Rule]:
    """Read a file of rules.

    :raises ActivationError: with all errors of the file.
    """
    return parse_rules(yaml_file.read(_OPTION, path), path)


def parse_rules(content: bytes | str, path: str) -> list[Rule]:
    """Make rules of the content of a file.

    :raises ActivationError: with all errors of the file.
    """
    parsed = yaml_file.parse(_OPTION, path, content, 'rules', 'rule')
    parsed.raise_problems([*parsed.schema_problems(_SCHEMA),
                           *parsed.repeated_names(),
                           *_rule_problems(parsed.entries())])
    return [_make_rule(entry) for entry in parsed.value['rules']]


def _make_rule(entry: dict) -> Rule:
    kind = _list_kinds(entry)[0]
    others = {key: value for key, value in entry.items() if key != kind}
    return Rule(kind=kind, value=entry[kind], **others)


def _list_kinds(entry: dict) -> list[str]:
    return [kind for kind in KINDS if kind in entry]


def _rule_problems(entries: list) -> yaml_file.Problems:
    # In addition to the errors of the schema, so that all errors are listed at
    # once. So an entry can have any type.
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict):
            continue
        place = ('rules', index)
        kinds = _list_kinds(entry)
        if len(kinds) != 1:
            yield place, f'expected exactly one of the keys {", ".join(KINDS)}'
        if isinstance(entry.get('property'), dict):
            yield from _property_problems(
                (*place, 'property'), entry['property'])


def _property_problems(place: yaml_file.Place, condition: dict
                       ) -> yaml_file.Problems:
    if sum(name in condition for name in _CONDITIONS) != 1:
        yield place, ('expected exactly one of the keys '
                      f'{", ".join(_CONDITIONS)}')
    if isinstance(condition.get('pattern'), str):
        try:
            _compile_pattern(condition['pattern'])
        except ValueError as error:
            yield (*place, 'pattern'), str(error)


@functools.cache
def _compile_pattern(pattern: str) -> typing.Any:
    re2 = _import_re2()
    options = re2.Options()
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0]
        if isinstance(reason, bytes):
            reason = reason.decode(errors='replace')
        raise yaml_file.not_valid(
            pattern, f'a pattern of RE2 ({reason})') from error


def _import_re2() -> typing.Any:
    try:
        import re2
    except ImportError:
        re2 = None
    # Other distributions also have a module with this name.
    if not hasattr(re2, 'Options'):
        raise ValueError('the module re2 of google-re2 is not installed: '
                         'install google-re2, or use "any_of" in place of '
                         '"pattern"')
    return re2


def matches_pattern(pattern: str, value: object) -> bool:
    """Return whether a pattern matches the whole text of a value.

    No pattern matches a text that is too long or not Unicode, or a number with
    more digits than Python can write.
    """
    regexp = _compile_pattern(pattern)
    try:
        text = str(value)
        return (len(text) <= MAX_CHARACTERS
                and regexp.fullmatch(text) is not None)
    except ValueError:
        return False
