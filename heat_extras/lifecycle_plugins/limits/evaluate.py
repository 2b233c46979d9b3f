# SPDX-License-Identifier: Apache-2.0

"""Evaluate the operator's rules for a planned stack.

Pure: does not import Heat.
"""

import collections
from collections import abc
import dataclasses
import fnmatch
import functools
import typing

from heat_extras.lifecycle_plugins.limits import rules_file

#: A value that is not known before the action.
UNKNOWN = object()


@dataclasses.dataclass(frozen=True)
class CountedResource:
    """An existing or planned resource of any stack.

    :param types: the names of its type: the name in the template, and the name
        to which the environment maps it.
    :param key: an existing resource and a planned resource with the same key
        are the same. It is None for a resource that does not exist yet.
    """

    types: frozenset
    key: tuple | None = None


@dataclasses.dataclass(frozen=True)
class ExistingResources:
    """The resources that exist beside the planned resources.

    :param own: each :class:`CountedResource` of the stack and of its nested
        stacks.
    :param elsewhere: each :class:`CountedResource` of other stacks.
    """

    own: tuple = ()
    elsewhere: tuple = ()


@dataclasses.dataclass(frozen=True)
class Resource:
    """A planned resource of the stack itself.

    :param types: see :class:`CountedResource`.
    :param get: a function from the name of a property to its value, which is
        None if it is not set, or UNKNOWN.
    :param references: the names of the resources that it refers to.
    :param key: see :class:`CountedResource`.
    :param is_unchanged: whether an update does not change it.
    """

    name: str
    types: frozenset
    get: typing.Callable = lambda name: None
    references: frozenset = frozenset()
    key: tuple | None = None
    is_unchanged: bool = False


@dataclasses.dataclass(frozen=True)
class PlannedStack:
    """A stack as it would be after the action.

    :param list_nested: a function that returns each :class:`CountedResource`
        in its nested stacks, as far as they are known.
    :param there: a function from ``tree`` or ``project`` to
        :class:`ExistingResources`.
    :param domain: a function that returns the ID of the project's domain.
    :param is_standing: whether it is an existing stack without an action.
    """

    resources: tuple
    list_nested: typing.Callable = tuple
    tags: tuple = ()
    project: str = ''
    is_root: bool = True
    there: typing.Callable = lambda scope: ExistingResources()
    domain: typing.Callable = lambda: None
    is_standing: bool = False

    @property
    def changing(self) -> tuple:
        """The resources that are checked by a rule about single resources."""
        return tuple(each for each in self.resources if not each.is_unchanged)

    @functools.cached_property
    def nested(self) -> tuple:
        return tuple(self.list_nested())


def find_violations(
        rules: abc.Iterable[rules_file.Rule],
        subject: PlannedStack) -> list[tuple[rules_file.Rule, str]]:
    """Find all violations of rules by a stack.

    :returns: a list of (rule, text), with one item for each resource that
        violates the rule.
    """
    return [(rule, f'{rule.name}: {text}'
             + (f' ({rule.message})' if rule.message else ''))
            for rule in rules if _applies_to(rule, subject)
            for text in _CHECKS[rule.kind](rule.value, subject)]


def _applies_to(rule: rules_file.Rule, subject: PlannedStack) -> bool:
    return ((not rule.projects or subject.project in rule.projects)
            and (not rule.domains or subject.domain() in rule.domains))


def matches_type(types: abc.Iterable[str],
                 patterns: abc.Iterable[str]) -> bool:
    """Return whether one of a resource's types matches one of the patterns."""
    return any(fnmatch.fnmatchcase(name, wanted)
               for name in types for wanted in patterns)


def _check_limit(limit: dict, subject: PlannedStack) -> abc.Iterator[str]:
    planned = _count_by_key([*subject.resources, *subject.nested], limit)
    if not planned:
        return
    there = subject.there(limit['per'])
    own = _count_by_key(there.own, limit)
    # An update that adds no resource is allowed, because the limit may be
    # newer than the stack.
    if not (subject.is_standing or planned - own):
        return
    living = planned | own
    total = living.total() + _count_by_key(there.elsewhere, limit).total()
    if total > limit['max']:
        where = {'tree': 'stack tree', 'project': 'project'}[limit['per']]
        old = living.total() - planned.total()
        verb = 'has' if subject.is_standing else 'would have'
        names = _join_alternatives(limit['types'])
        yield (f'the {where} {verb} {total} resources of type {names}, '
               f'but at most {limit["max"]} are allowed'
               + (f' ({old} of these resources are not removed yet: remove '
                  'resources before you add others)' if old else ''))


def _count_by_key(resources: abc.Iterable, limit: dict
                  ) -> collections.Counter:
    return collections.Counter(each.key for each in resources
                               if matches_type(each.types, limit['types']))


def _check_forbid(patterns: list[str],
                  subject: PlannedStack) -> abc.Iterator[str]:
    for resource in subject.changing:
        if matches_type(resource.types, patterns):
            yield (f'resource {resource.name} has type '
                   f'{_join_alternatives(resource.types)}, which is forbidden')
    # Nested stacks are also checked later, when they are created or updated.
    nested = [child for child in subject.nested
              if matches_type(child.types, patterns)]
    there = nested and {child.key for child in subject.there('tree').own}
    names = {name for child in nested if child.key not in there
             for name in child.types}
    if names:
        yield (f'nested stacks have type {_join_alternatives(names)}, which '
               'is forbidden')


def _check_require(patterns: list[str],
                   subject: PlannedStack) -> abc.Iterator[str]:
    if not subject.is_root:
        return
    there = [resource.types
             for resource in (*subject.resources, *subject.nested)]
    for wanted in patterns:
        if not any(matches_type(types, [wanted]) for types in there):
            yield (f'the stack has no resource of type {wanted}, which is '
                   'required')


def _check_property(condition: dict,
                    subject: PlannedStack) -> abc.Iterator[str]:
    name = condition['name']
    for resource in subject.changing:
        if not matches_type(resource.types, condition['types']):
            continue
        value = resource.get(name)
        if value is None and condition.get('optional'):
            continue
        if not _fulfills(condition, value):
            # Without the value, because it can contain a hidden value.
            yield (f'property "{name}" of resource {resource.name} must '
                   f'{_describe_condition(condition)}'
                   f'{_describe_unknown(value)}')


def _fulfills(condition: dict, value: object) -> bool:
    if value is None or value is UNKNOWN:
        return False
    if 'any_of' in condition:
        return value in condition['any_of']
    if 'contains_any_of' in condition:
        return any(item in condition['contains_any_of'] for item in (
            value if isinstance(value, (list, tuple)) else [value]))
    return rules_file.matches_pattern(condition['pattern'], value)


def _describe_condition(condition: dict) -> str:
    if 'any_of' in condition:
        return f'be one of {_join_values(condition["any_of"])}'
    if 'contains_any_of' in condition:
        values = _join_values(condition['contains_any_of'])
        return f'contain at least one of {values}'
    return f'match the pattern {condition["pattern"]}'


def _describe_unknown(*values: object) -> str:
    return (' (the value is not known before the action)'
            if UNKNOWN in values else '')


def _check_same(condition: dict, subject: PlannedStack) -> abc.Iterator[str]:
    name, through = condition['name'], condition.get('through', [])
    all_checked = _list_of_type(subject, [condition['type']])
    others = _list_of_type(subject, [condition['as']])
    links = [
        resource.references for resource in _list_of_type(subject, through)
    ]
    for checked in all_checked:
        for other in others:
            if not _is_linked(checked, other, links) or (
                    checked.is_unchanged and other.is_unchanged):
                continue
            value, expected = checked.get(name), other.get(name)
            if value != expected or value is UNKNOWN:
                yield (f'property "{name}" of resource {checked.name} must '
                       'have the same value as in resource '
                       f'{other.name}{_describe_unknown(value, expected)}')


def _list_of_type(subject: PlannedStack,
                  patterns: list[str]) -> list[Resource]:
    return [resource for resource in subject.resources
            if matches_type(resource.types, patterns)]


def _is_linked(resource: Resource, other: Resource,
               links: abc.Iterable[frozenset]) -> bool:
    return (resource.name in other.references
            or other.name in resource.references
            or any({resource.name, other.name} <= link for link in links))


def _check_tags(patterns: list[str],
                subject: PlannedStack) -> abc.Iterator[str]:
    # A nested stack has no tags.
    if not subject.is_root:
        return
    for wanted in patterns:
        if not any(fnmatch.fnmatchcase(tag, wanted)
                   for tag in subject.tags):
            yield f'the stack has no tag "{wanted}", which is required'


def _join_values(values: abc.Iterable) -> str:
    return ', '.join(map(str, values))


def _join_alternatives(names: abc.Iterable[str]) -> str:
    return ' or '.join(sorted(names))


_CHECKS: dict[str, typing.Callable] = {
    'limit': _check_limit, 'forbid': _check_forbid, 'require': _check_require,
    'property': _check_property, 'same': _check_same, 'tags': _check_tags}
