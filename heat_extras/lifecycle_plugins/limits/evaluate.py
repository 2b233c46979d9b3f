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

# More of a value than this is not shown: users know what they wrote.
_SHOWN = 200


class Unknown:
    """Stands for a value that is not known before the stack is made."""

    def __repr__(self) -> str:
        return 'a value that is not known yet'


UNKNOWN = Unknown()


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
    :param references: names of resources that its properties refer to.
    :param literals: what the template has for properties as a literal, by
        their names; empty where that could be a resolved value.
    :param key: as that of :class:`Living`.
    :param is_unchanged: whether an update leaves it as it is.
    """

    name: str
    types: frozenset
    get: typing.Callable = lambda name: None
    references: frozenset = frozenset()
    literals: dict = dataclasses.field(default_factory=dict)
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
        yield (f'found {found} resources of type {_or(what["types"])} in the '
               f'{where}, wanted at most {what["max"]}'
               + (f'; {old} of them are still to be removed: remove before '
                  'you add' if old else ''))


def _keys(ones: abc.Iterable, what: dict) -> collections.Counter:
    return collections.Counter(one.key for one in ones
                               if is_type(one.types, what['types']))


def _forbid(patterns: list[str], subject: Subject
            ) -> abc.Iterator[str]:
    for resource in subject.changing:
        if is_type(resource.types, patterns):
            yield (f'found resource {resource.name} of type '
                   f'{_or(resource.types)}, which is forbidden')
    # Those are refused by themselves, but then the stack has begun.
    nested = [one for one in subject.nested if is_type(one.types, patterns)]
    there = nested and {one.key for one in subject.there('tree').own}
    names = {name for one in nested if one.key not in there
             for name in one.types}
    if names:
        yield f'found type {_or(names)} in nested stacks, forbidden'


def _require(patterns: list[str], subject: Subject
             ) -> abc.Iterator[str]:
    if not subject.is_root:
        return
    there = [one.types for one in (*subject.resources, *subject.nested)]
    for wanted in patterns:
        if not any(is_type(types, [wanted]) for types in there):
            yield f'found no resource of type {wanted}, wanted one'


def _property(what: dict, subject: Subject) -> abc.Iterator[str]:
    name = what['name']
    for resource in subject.changing:
        if not is_type(resource.types, what['types']):
            continue
        value = resource.get(name)
        if value is None and what.get('optional'):
            continue
        if not _is_good(what, value):
            yield (f'property {name} of resource {resource.name}: found '
                   f'{_text(resource, name, value)}, wanted '
                   f'{_wanted(what)}')


def _is_good(what: dict, value: object) -> bool:
    if value is None or value is UNKNOWN:
        return False
    if 'any_of' in what:
        return value in what['any_of']
    if 'contains_any_of' in what:
        return any(item in what['contains_any_of'] for item in (
            value if isinstance(value, (list, tuple)) else [value]))
    return rules_file.is_match(what['pattern'], value)


def _wanted(what: dict) -> str:
    if 'any_of' in what:
        return f'one of {_list(what["any_of"])}'
    if 'contains_any_of' in what:
        return f'at least one of {_list(what["contains_any_of"])} in it'
    return f'a match of {what["pattern"]}'


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
            found, wanted = one.get(name), other.get(name)
            if found != wanted or found is UNKNOWN:
                yield (f'property {name} of resource {one.name}: found '
                       f'{_text(one, name, found)}, wanted that of '
                       f'{other.name}: {_text(other, name, wanted)}')


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
            yield f'found no stack tag {wanted}, wanted one'


def _text(resource: Resource, name: str, value: object) -> str:
    if value is None:
        return 'nothing'
    if value is UNKNOWN:
        return repr(value)
    if name not in resource.literals:
        return 'a value that is not shown'
    try:
        text = repr(resource.literals[name])
    except ValueError:
        # Python does not write numbers of more digits.
        return 'a number of more than 4300 digits'
    return (text if len(text) <= _SHOWN
            else f'{text[:_SHOWN]}... ({len(text)} characters)')


def _list(values: abc.Iterable) -> str:
    return ', '.join(map(str, values))


def _or(names: abc.Iterable[str]) -> str:
    return ' or '.join(sorted(names))


_CHECKS: dict[str, typing.Callable] = {
    'limit': _limit, 'forbid': _forbid, 'require': _require,
    'property': _property, 'same': _same, 'tags': _tags}
