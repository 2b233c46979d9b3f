# SPDX-License-Identifier: Apache-2.0

"""Evaluate the operator's rules on a stack as it would be.

Pure: nothing of Heat is imported.
"""

import collections
from collections import abc
import dataclasses
import fnmatch
import functools
import typing

from heat_extras.lifecycle_plugins.limits import rules_file

#: Stands for a value that is not known before the action.
UNKNOWN = object()


@dataclasses.dataclass(frozen=True)
class Living:
    """A resource that is there, or would be, in whatever stack.

    :param types: its names: the one in the template, and the one that the
        environment makes of it.
    :param key: what is there and what is planned under one key is the same;
        None for what is nowhere yet.
    """

    types: frozenset
    key: tuple | None = None


@dataclasses.dataclass(frozen=True)
class There:
    """What is there besides what is planned.

    :param own: each :class:`Living` of the stack and of all that is nested
        in it.
    :param elsewhere: each that lives in other stacks.
    """

    own: tuple = ()
    elsewhere: tuple = ()


@dataclasses.dataclass(frozen=True)
class Resource:
    """A resource of the stack itself.

    :param types: its names: the one in the template, and the one that the
        environment makes of it.
    :param get: from a property's name to its value, None where it has
        none, or UNKNOWN.
    :param references: names of resources that it refers to.
    :param key: as that of :class:`Living`.
    :param is_unchanged: whether an update leaves it as it is.
    """

    name: str
    types: frozenset
    get: typing.Callable = lambda name: None
    references: frozenset = frozenset()
    key: tuple | None = None
    is_unchanged: bool = False


@dataclasses.dataclass(frozen=True)
class Subject:
    """A stack as it would be.

    :param list_nested: returns each :class:`Living` that would be nested in
        it, as far as that is known.
    :param there: from ``tree`` or ``project`` to what is :class:`There`.
    :param domain: returns the id of the project's domain.
    """

    resources: tuple
    list_nested: typing.Callable = tuple
    tags: tuple = ()
    project: str = ''
    is_root: bool = True
    there: typing.Callable = lambda scope: There()
    domain: typing.Callable = lambda: None

    @property
    def changing(self) -> tuple:
        """The resources that a rule about one resource is for."""
        return tuple(one for one in self.resources if not one.is_unchanged)

    @functools.cached_property
    def nested(self) -> tuple:
        return tuple(self.list_nested())


def violations(rules: abc.Iterable[rules_file.Rule],
               subject: Subject
               ) -> list[tuple[rules_file.Rule, str]]:
    """Find all rules that a stack violates.

    :returns: a list of (rule, text), several for a rule that several
        resources violate.
    """
    return [(rule, f'{rule.name}: {text}'
             + (f' ({rule.message})' if rule.message else ''))
            for rule in rules if _holds_for(rule, subject)
            for text in _CHECKS[rule.kind](rule.what, subject)]


def _holds_for(rule: rules_file.Rule, subject: Subject) -> bool:
    return ((not rule.projects or subject.project in rule.projects)
            and (not rule.domains or subject.domain() in rule.domains))


def is_type(types: abc.Iterable[str], patterns: abc.Iterable[str]) -> bool:
    """Return whether one of a resource's types matches one of the patterns."""
    return any(fnmatch.fnmatchcase(name, wanted)
               for name in types for wanted in patterns)


def _limit(what: dict, subject: Subject) -> abc.Iterator[str]:
    planned = _keys([*subject.resources, *subject.nested], what)
    if not planned:
        return
    there = subject.there(what['per'])
    own = _keys(there.own, what)
    # An update that adds none is no matter of a limit, which may be newer
    # than the stack.
    if not planned - own:
        return
    living = planned | own
    found = living.total() + _keys(there.elsewhere, what).total()
    if found > what['max']:
        where = {'tree': 'stack tree', 'project': 'project'}[what['per']]
        old = living.total() - planned.total()
        yield (f'{found} resources of type {_or(what["types"])} in the '
               f'{where}: at most {what["max"]} are allowed'
               + (f'; {old} of them are still to be removed: remove before '
                  'you add' if old else ''))


def _keys(ones: abc.Iterable, what: dict) -> collections.Counter:
    return collections.Counter(one.key for one in ones
                               if is_type(one.types, what['types']))


def _forbid(patterns: list[str], subject: Subject
            ) -> abc.Iterator[str]:
    for resource in subject.changing:
        if is_type(resource.types, patterns):
            yield (f'resource {resource.name} has type '
                   f'{_or(resource.types)}, which is forbidden')
    # Nested stacks are refused themselves, but later.
    nested = [one for one in subject.nested if is_type(one.types, patterns)]
    there = nested and {one.key for one in subject.there('tree').own}
    names = {name for one in nested if one.key not in there
             for name in one.types}
    if names:
        yield f'nested stacks have type {_or(names)}, which is forbidden'


def _require(patterns: list[str], subject: Subject
             ) -> abc.Iterator[str]:
    if not subject.is_root:
        return
    there = [one.types for one in (*subject.resources, *subject.nested)]
    for wanted in patterns:
        if not any(is_type(types, [wanted]) for types in there):
            yield f'a resource of type {wanted} is required'


def _property(what: dict, subject: Subject) -> abc.Iterator[str]:
    name = what['name']
    for resource in subject.changing:
        if not is_type(resource.types, what['types']):
            continue
        value = resource.get(name)
        if value is None and what.get('optional'):
            continue
        if not _is_good(what, value):
            # Without the value, which can be made of a hidden one.
            yield (f'property {name} of resource {resource.name} must '
                   f'{_expected(what)}{_unknown(value)}')


def _is_good(what: dict, value: object) -> bool:
    if value is None or value is UNKNOWN:
        return False
    if 'any_of' in what:
        return value in what['any_of']
    if 'contains_any_of' in what:
        return any(item in what['contains_any_of'] for item in (
            value if isinstance(value, (list, tuple)) else [value]))
    return rules_file.is_match(what['pattern'], value)


def _expected(what: dict) -> str:
    if 'any_of' in what:
        return f'be one of {_list(what["any_of"])}'
    if 'contains_any_of' in what:
        return f'contain at least one of {_list(what["contains_any_of"])}'
    return f'match {what["pattern"]}'


def _unknown(*values: object) -> str:
    return ('; its value is not known before the action'
            if UNKNOWN in values else '')


def _same(what: dict, subject: Subject) -> abc.Iterator[str]:
    name, through = what['name'], what.get('through', [])
    ones = _of(subject, [what['type']])
    others = _of(subject, [what['as']])
    links = [resource.references for resource in _of(subject, through)]
    for one in ones:
        for other in others:
            if not _is_linked(one, other, links) or (
                    one.is_unchanged and other.is_unchanged):
                continue
            value, expected = one.get(name), other.get(name)
            if value != expected or value is UNKNOWN:
                yield (f'property {name} of resource {one.name} must be that '
                       f'of {other.name}{_unknown(value, expected)}')


def _of(subject: Subject, patterns: list[str]
        ) -> list[Resource]:
    return [resource for resource in subject.resources
            if is_type(resource.types, patterns)]


def _is_linked(one: Resource, other: Resource,
               links: abc.Iterable[frozenset]) -> bool:
    return (one.name in other.references or other.name in one.references
            or any({one.name, other.name} <= link for link in links))


def _tags(patterns: list[str], subject: Subject) -> abc.Iterator[str]:
    # A nested stack has no tags.
    if not subject.is_root:
        return
    for wanted in patterns:
        if not any(fnmatch.fnmatchcase(tag, wanted)
                   for tag in subject.tags):
            yield f'a stack tag {wanted} is required'


def _list(values: abc.Iterable) -> str:
    return ', '.join(map(str, values))


def _or(names: abc.Iterable[str]) -> str:
    return ' or '.join(sorted(names))


_CHECKS: dict[str, typing.Callable] = {
    'limit': _limit, 'forbid': _forbid, 'require': _require,
    'property': _property, 'same': _same, 'tags': _tags}
