# SPDX-License-Identifier: Apache-2.0

"""Judge a stack by rules.

Pure: nothing of Heat is imported.
"""

import collections
from collections import abc
import fnmatch
import typing

from heat_extras.lifecycle_plugins.limits import pattern
from heat_extras.lifecycle_plugins.limits import rules_file
from heat_extras.lifecycle_plugins.limits import subject as subjects

# More of a value than this is not told: users know what they wrote.
_SHOWN = 200


def violations(rules: abc.Iterable[rules_file.Rule],
               subject: subjects.Subject
               ) -> list[tuple[rules_file.Rule, str]]:
    """Find all rules that a stack violates.

    :returns: a list of (rule, text), several for a rule that several
        resources violate.
    """
    return [(rule, f'{rule.name}: {text}'
             + (f' ({rule.message})' if rule.message else ''))
            for rule in rules if _holds_for(rule, subject)
            for text in _CHECKS[rule.kind](rule.what, subject)]


def _holds_for(rule: rules_file.Rule, subject: subjects.Subject) -> bool:
    return ((not rule.projects or subject.project in rule.projects)
            and (not rule.domains or subject.domain() in rule.domains))


def is_type(types: abc.Iterable[str], patterns: abc.Iterable[str]) -> bool:
    """Return whether one of a resource's types matches one of the patterns."""
    return any(fnmatch.fnmatchcase(name, wanted)
               for name in types for wanted in patterns)


def _limit(what: dict, subject: subjects.Subject) -> abc.Iterator[str]:
    planned = _of_types([*subject.resources, *subject.nested], what)
    if not planned:
        return
    there = subject.there(what['per'])
    if not _is_any_made(what, subject, planned, there):
        return
    found = len(planned) + _count(there.current, what)
    extra = 0
    if found <= what['max']:
        total = _living(what, planned, there)
        found, extra = total, total - found
    if found > what['max']:
        where = {'tree': 'stack tree', 'project': 'project'}[what['per']]
        yield (f'found {found} resources of type {_or(what["types"])} in the '
               f'{where}, wanted at most {what["max"]}'
               + (f'; {extra} of them are still to be removed, or being '
                  'made: try again then, or remove before you add'
                  if extra > 0 else ''))


def _is_any_made(what: dict, subject: subjects.Subject,
                 planned: abc.Iterable, there: subjects.There) -> bool:
    """Return whether a resource is added or replaced.

    An update that does neither is no matter of a limit, which may be newer
    than the stack.
    """
    wanted = _keys(planned)
    return bool(wanted - _keys(_of_types(there.own, what))) or any(
        subject.is_remade(key) for key in wanted)


def _living(what: dict, planned: abc.Iterable, there: subjects.There) -> int:
    """Count what would live at one time."""
    own = _keys(_of_types(there.own, what))
    return (_keys(planned) | own).total() + _count(there.living, what)


def _keys(ones: abc.Iterable) -> collections.Counter:
    return collections.Counter(one.key for one in ones)


def _of_types(ones: abc.Iterable, what: dict) -> list:
    return [one for one in ones if is_type(one.types, what['types'])]


def _count(types: abc.Iterable, what: dict) -> int:
    return sum(is_type(one, what['types']) for one in types)


def _forbid(patterns: list[str], subject: subjects.Subject
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


def _require(patterns: list[str], subject: subjects.Subject
             ) -> abc.Iterator[str]:
    if not subject.is_root:
        return
    there = [one.types for one in (*subject.resources, *subject.nested)]
    for wanted in patterns:
        if not any(is_type(types, [wanted]) for types in there):
            yield f'found no resource of type {wanted}, wanted one'


def _property(what: dict, subject: subjects.Subject) -> abc.Iterator[str]:
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
                   f'{_wanted(what, value)}')


def _is_good(what: dict, value: object) -> bool:
    if value is None or value is subjects.UNKNOWN:
        return False
    if 'any_of' in what:
        return value in what['any_of']
    if 'contains_any_of' in what:
        return any(item in what['contains_any_of'] for item in (
            value if isinstance(value, (list, tuple)) else [value]))
    return pattern.is_match(what['pattern'], value)


def _wanted(what: dict, value: object) -> str:
    if 'any_of' in what:
        return f'one of {_list(what["any_of"])}'
    if 'contains_any_of' in what:
        return f'at least one of {_list(what["contains_any_of"])} in it'
    return (f'a match of {what["pattern"]}'
            + (f', in at most {pattern.LONGEST} characters'
               if pattern.is_too_long(value) else ''))


def _same(what: dict, subject: subjects.Subject) -> abc.Iterator[str]:
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
            if found != wanted or found is subjects.UNKNOWN:
                yield (f'property {name} of resource {one.name}: found '
                       f'{_text(one, name, found)}, wanted that of '
                       f'{other.name}: {_text(other, name, wanted)}')


def _of(subject: subjects.Subject, patterns: list[str]
        ) -> list[subjects.Resource]:
    return [resource for resource in subject.resources
            if is_type(resource.types, patterns)]


def _is_linked(one: subjects.Resource, other: subjects.Resource,
               links: abc.Iterable[frozenset]) -> bool:
    return (one.name in other.references or other.name in one.references
            or any({one.name, other.name} <= link for link in links))


def _tags(patterns: list[str], subject: subjects.Subject) -> abc.Iterator[str]:
    # A nested stack has no tags.
    if not subject.is_root:
        return
    for wanted in patterns:
        if not any(fnmatch.fnmatchcase(tag, wanted)
                   for tag in subject.tags):
            yield f'found no stack tag {wanted}, wanted one'


def _text(resource: subjects.Resource, name: str, value: object) -> str:
    if value is None:
        return 'nothing'
    if value is subjects.UNKNOWN:
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
