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
class CountedResource:
    """A resource that is there, or would be, in whatever stack.

    :param types: its names: the one in the template, and the one that the
        environment makes of it.
    :param key: what is there and what is planned under one key is the same;
        None for what is nowhere yet.
    """

    types: frozenset
    key: tuple | None = None


@dataclasses.dataclass(frozen=True)
class ExistingResources:
    """What is there besides what is planned.

    :param own: each :class:`CountedResource` of the stack and of its nested
        stacks.
    :param elsewhere: each :class:`CountedResource` of other stacks.
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
    :param key: as that of :class:`CountedResource`.
    :param is_unchanged: whether an update leaves it as it is.
    """

    name: str
    types: frozenset
    get: typing.Callable = lambda name: None
    references: frozenset = frozenset()
    key: tuple | None = None
    is_unchanged: bool = False


@dataclasses.dataclass(frozen=True)
class PlannedStack:
    """A stack as it would be.

    :param list_nested: a function that returns each :class:`CountedResource`
        in its nested stacks, as far as they are known.
    :param there: a function from ``tree`` or ``project`` to
        :class:`ExistingResources`.
    :param domain: a function that returns the ID of the project's domain.
    """

    resources: tuple
    list_nested: typing.Callable = tuple
    tags: tuple = ()
    project: str = ''
    is_root: bool = True
    there: typing.Callable = lambda scope: ExistingResources()
    domain: typing.Callable = lambda: None

    @property
    def changing(self) -> tuple:
        """The resources that a rule about one resource is for."""
        return tuple(one for one in self.resources if not one.is_unchanged)

    @functools.cached_property
    def nested(self) -> tuple:
        return tuple(self.list_nested())


def find_violations(
        rules: abc.Iterable[rules_file.Rule],
        subject: PlannedStack) -> list[tuple[rules_file.Rule, str]]:
    """Find all rules that a stack violates.

    :returns: a list of (rule, text), several for a rule that several
        resources violate.
    """
    return [(rule, f'{rule.name}: {text}'
             + (f' ({rule.message})' if rule.message else ''))
            for rule in rules if _applies_to(rule, subject)
            for text in _CHECKS[rule.kind](rule.what, subject)]


def _applies_to(rule: rules_file.Rule, subject: PlannedStack) -> bool:
    return ((not rule.projects or subject.project in rule.projects)
            and (not rule.domains or subject.domain() in rule.domains))


def matches_type(types: abc.Iterable[str],
                 patterns: abc.Iterable[str]) -> bool:
    """Return whether one of a resource's types matches one of the patterns."""
    return any(fnmatch.fnmatchcase(name, wanted)
               for name in types for wanted in patterns)


def _check_limit(what: dict, subject: PlannedStack) -> abc.Iterator[str]:
    planned = _count_by_key([*subject.resources, *subject.nested], what)
    if not planned:
        return
    there = subject.there(what['per'])
    own = _count_by_key(there.own, what)
    # An update that adds none is no matter of a limit, which may be newer
    # than the stack.
    if not planned - own:
        return
    living = planned | own
    found = living.total() + _count_by_key(there.elsewhere, what).total()
    if found > what['max']:
        where = {'tree': 'stack tree', 'project': 'project'}[what['per']]
        old = living.total() - planned.total()
        names = _join_alternatives(what['types'])
        yield (f'{found} resources of type {names} in the {where}: at most '
               f'{what["max"]} are allowed'
               + (f'; {old} of them are still to be removed: remove before '
                  'you add' if old else ''))


def _count_by_key(ones: abc.Iterable, what: dict) -> collections.Counter:
    return collections.Counter(one.key for one in ones
                               if matches_type(one.types, what['types']))


def _check_forbid(patterns: list[str],
                  subject: PlannedStack) -> abc.Iterator[str]:
    for resource in subject.changing:
        if matches_type(resource.types, patterns):
            yield (f'resource {resource.name} has type '
                   f'{_join_alternatives(resource.types)}, which is forbidden')
    # Nested stacks are refused themselves, but later.
    nested = [
        one for one in subject.nested if matches_type(one.types, patterns)
    ]
    there = nested and {one.key for one in subject.there('tree').own}
    names = {name for one in nested if one.key not in there
             for name in one.types}
    if names:
        yield (f'nested stacks have type {_join_alternatives(names)}, which '
               'is forbidden')


def _check_require(patterns: list[str],
                   subject: PlannedStack) -> abc.Iterator[str]:
    if not subject.is_root:
        return
    there = [one.types for one in (*subject.resources, *subject.nested)]
    for wanted in patterns:
        if not any(matches_type(types, [wanted]) for types in there):
            yield f'a resource of type {wanted} is required'


def _check_property(what: dict, subject: PlannedStack) -> abc.Iterator[str]:
    name = what['name']
    for resource in subject.changing:
        if not matches_type(resource.types, what['types']):
            continue
        value = resource.get(name)
        if value is None and what.get('optional'):
            continue
        if not _fulfills(what, value):
            # Without the value, which can be made of a hidden one.
            yield (f'property {name} of resource {resource.name} must '
                   f'{_describe_condition(what)}{_describe_unknown(value)}')


def _fulfills(what: dict, value: object) -> bool:
    if value is None or value is UNKNOWN:
        return False
    if 'any_of' in what:
        return value in what['any_of']
    if 'contains_any_of' in what:
        return any(item in what['contains_any_of'] for item in (
            value if isinstance(value, (list, tuple)) else [value]))
    return rules_file.matches_pattern(what['pattern'], value)


def _describe_condition(what: dict) -> str:
    if 'any_of' in what:
        return f'be one of {_join_values(what["any_of"])}'
    if 'contains_any_of' in what:
        values = _join_values(what['contains_any_of'])
        return f'contain at least one of {values}'
    return f'match {what["pattern"]}'


def _describe_unknown(*values: object) -> str:
    return ('; its value is not known before the action'
            if UNKNOWN in values else '')


def _check_same(what: dict, subject: PlannedStack) -> abc.Iterator[str]:
    name, through = what['name'], what.get('through', [])
    ones = _list_of_type(subject, [what['type']])
    others = _list_of_type(subject, [what['as']])
    links = [
        resource.references for resource in _list_of_type(subject, through)
    ]
    for one in ones:
        for other in others:
            if not _is_linked(one, other, links) or (
                    one.is_unchanged and other.is_unchanged):
                continue
            value, expected = one.get(name), other.get(name)
            if value != expected or value is UNKNOWN:
                yield (f'property {name} of resource {one.name} must be that '
                       f'of {other.name}{_describe_unknown(value, expected)}')


def _list_of_type(subject: PlannedStack,
                  patterns: list[str]) -> list[Resource]:
    return [resource for resource in subject.resources
            if matches_type(resource.types, patterns)]


def _is_linked(one: Resource, other: Resource,
               links: abc.Iterable[frozenset]) -> bool:
    return (one.name in other.references or other.name in one.references
            or any({one.name, other.name} <= link for link in links))


def _check_tags(patterns: list[str],
                subject: PlannedStack) -> abc.Iterator[str]:
    # A nested stack has no tags.
    if not subject.is_root:
        return
    for wanted in patterns:
        if not any(fnmatch.fnmatchcase(tag, wanted)
                   for tag in subject.tags):
            yield f'a stack tag {wanted} is required'


def _join_values(values: abc.Iterable) -> str:
    return ', '.join(map(str, values))


def _join_alternatives(names: abc.Iterable[str]) -> str:
    return ' or '.join(sorted(names))


_CHECKS: dict[str, typing.Callable] = {
    'limit': _check_limit, 'forbid': _check_forbid, 'require': _check_require,
    'property': _check_property, 'same': _check_same, 'tags': _check_tags}
