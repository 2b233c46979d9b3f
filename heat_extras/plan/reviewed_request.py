# SPDX-License-Identifier: Apache-2.0

"""The reviewed plan in the request of an update or a creation.

The field ``plan`` of the request has the fields of ``plan_source`` of the
preview, and ``changes``: the entries of the plan that change a resource. The
engine seals the request, the plan and its source (:mod:`seal`).

Pure: does not import Heat.
"""

import collections.abc
import dataclasses
import hashlib
import json
import typing

FIELD = 'plan'
#: An engine without the feature would ignore the plan. A client can add this
#: text to the value of ``converge``, or for a creation ``disable_rollback``,
#: with which such an engine fails before it changes anything
#: (heat.engine.api.extract_args).
CONVERGE, ONLY_WITH_PLAN = 'converge', ' with plan'
DISABLE_ROLLBACK = 'disable_rollback'
#: The revision of the plan of a creation begins with this text.
CREATION = 'creation '
REVISION, SALT, HIDDEN = 'revision', 'salt', 'hidden_parameters'
DIGEST, SEAL, CHANGES = 'digest', 'seal', 'changes'
FIELDS = (REVISION, SALT, HIDDEN, DIGEST, SEAL, CHANGES)
ENTRY_FIELDS = ('path', 'action', 'certainty')
#: An optional field of an entry whose last name is not a resource's name.
PLACEHOLDER = 'placeholder'

#: The words of a plan.
ACTIONS = UNCHANGED, UPDATED, REPLACED, REMOVED, ADDED = (
    'unchanged', 'updated', 'replaced', 'removed', 'added')
CERTAINTIES = WILL, MAY, UNKNOWN = ('will', 'may', 'unknown')
#: A new resource whose name Heat generates, and all other possible resources
#: of a nested stack.
PLACEHOLDERS = NEW, OTHERS = ('new', 'others')

#: The sections of an environment that have the values of parameters.
SECTIONS = PARAMETERS, DEFAULTS = 'parameters', 'parameter_defaults'

# The actions that an entry which may happen also allows, see user/plan.rst.
_LESSER = {REPLACED: (UPDATED,), REMOVED: (UPDATED, REPLACED)}


@dataclasses.dataclass(frozen=True)
class Request:
    """The parsed plan of a request.

    :param hidden: digests of the values of hidden parameters, by name.
    :param digest: of the plan, see :func:`compute_digest`.
    :param changes: pairs of action and certainty, by path and placeholder.
        The path for :data:`OTHERS` is the path of the nested stack.
    """

    revision: str
    salt: str
    hidden: dict[str, str]
    digest: str
    seal: str
    changes: dict[tuple[str, str | None], tuple[str, str]]

    @property
    def is_creation(self) -> bool:
        """Whether it is the plan of a creation."""
        return self.revision.startswith(CREATION)

    def list_changes(self) -> list[list[str | None]]:
        """List the changes, in a fixed order."""
        return sorted(([*entry, *change]
                       for entry, change in self.changes.items()
                       if change != (UNCHANGED, WILL)), key=str)

    def list_replaceable(self) -> list[str]:
        """List the paths of resources that may be replaced or removed."""
        return sorted(
            path for (path, placeholder), (action, certainty)
            in self.changes.items() if placeholder != OTHERS
            and (action in (REPLACED, REMOVED) or certainty == UNKNOWN))

    def list_unknown_stacks(self) -> list[str]:
        """List the paths of nested stacks whose resources are not known."""
        return sorted(path for path, placeholder in self.changes
                      if placeholder == OTHERS)

    def list_differences(
            self, entries: list[dict[str, typing.Any]]) -> list[str]:
        """List the changes of an update that the plan does not contain.

        :param entries: the entries of the new plan, as in a preview.
        """
        return [self._describe(entry) for entry in entries
                if not self._contains(entry)]

    def _contains(self, entry: dict[str, typing.Any]) -> bool:
        action = entry['action']
        reviewed, certainty = self._find(entry)
        if entry['certainty'] == UNKNOWN or certainty == UNKNOWN:
            return certainty == UNKNOWN
        return action in (UNCHANGED, reviewed) or (
            certainty == MAY and action in _LESSER.get(reviewed, ()))

    def _find(self, entry: dict[str, typing.Any]) -> tuple[str, str]:
        path = entry['path']
        for key in ((path, entry.get(PLACEHOLDER)), (path, None),
                    (_parent(path), OTHERS)):
            if key in self.changes:
                return self.changes[key]
        return UNCHANGED, WILL

    def _describe(self, entry: dict[str, typing.Any]) -> str:
        planned = _describe_change(entry['action'], entry['certainty'])
        reviewed = _describe_change(*self._find(entry))
        return f'{entry["path"]} {planned} (in the plan: {reviewed})'


def _parent(path: str) -> str:
    return path.rpartition('/')[0]


def _describe_change(action: str, certainty: str) -> str:
    return ('is not known' if certainty == UNKNOWN
            else f'{certainty} be {action}')


def make(source: dict[str, typing.Any], plan: list[dict[str, typing.Any]],
         stops: list[dict[str, typing.Any]]) -> dict[str, typing.Any]:
    """Make the field ``plan``.

    :param source: the field ``plan_source`` of the preview.
    :param plan: the list ``plan`` of the preview.
    :param stops: the list ``plan_stops`` of the preview.
    """
    return {**source, DIGEST: compute_digest(plan, stops), CHANGES: [
        {key: entry[key] for key in (*ENTRY_FIELDS, PLACEHOLDER)
         if key in entry}
        for entry in plan
        if (entry['action'], entry['certainty']) != (UNCHANGED, WILL)]}


def compute_digest(plan: list[dict[str, typing.Any]],
                   stops: list[dict[str, typing.Any]]) -> str:
    """Return the digest of all that a plan shows."""
    text = json.dumps([plan, stops], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def without_suffix(value: object) -> str:
    """Return the text of a flag without :data:`ONLY_WITH_PLAN`."""
    return str(value).lower().removesuffix(ONLY_WITH_PLAN)


def without_hidden(environment: dict[str, typing.Any],
                   hidden: collections.abc.Container[str],
                   sections: tuple[str, ...] = SECTIONS
                   ) -> dict[str, typing.Any]:
    """Return an environment without the values of hidden parameters."""
    return {key: {name: each for name, each in value.items()
                  if name not in hidden} if key in sections and value
            else value for key, value in environment.items()}


def without_hidden_in_file(
        text: str, hidden: collections.abc.Container[str],
        parse_environment: typing.Callable[[str], dict[str, typing.Any]]
        ) -> str:
    """Return an environment file without the values of hidden parameters.

    A file without such values stays as it is.
    """
    environment = parse_environment(text)
    cleaned = without_hidden(environment, hidden)
    return text if cleaned == environment else json.dumps(cleaned)


def parse(value: object) -> Request:
    """Parse the field ``plan``.

    :raises ValueError: with a text for the caller.
    """
    if isinstance(value, dict) and REVISION in value and SEAL not in value:
        raise ValueError('Invalid plan: it has no seal, because an older '
                         'version of heat-extras made it. Make a new plan of '
                         'the update.')
    fields = _check_keys('plan', value, FIELDS)
    for name in (REVISION, SALT, DIGEST, SEAL):
        _check(f'plan.{name}', fields[name], str)
    hidden = _check(f'plan.{HIDDEN}', fields[HIDDEN], dict)
    for name, digest in hidden.items():
        _check(f'plan.{HIDDEN}.{name}', digest, str)
    changes = {}
    for number, entry in enumerate(_check(f'plan.{CHANGES}', fields[CHANGES],
                                          list)):
        where = f'plan.{CHANGES}[{number}]'
        path, action, certainty, placeholder = _check_keys(
            where, entry, ENTRY_FIELDS, (PLACEHOLDER,)).values()
        _check(f'{where}.path', path, str)
        _check_word(f'{where}.action', action, ACTIONS)
        _check_word(f'{where}.certainty', certainty, CERTAINTIES)
        _check_word(f'{where}.{PLACEHOLDER}', placeholder,
                    (*PLACEHOLDERS, None))
        changes[_parent(path) if placeholder == OTHERS else path,
                placeholder] = action, certainty
    return Request(fields[REVISION], fields[SALT], hidden, fields[DIGEST],
                   fields[SEAL], changes)


def _check_keys(name: str, value: object, keys: tuple[str, ...],
                optional: tuple[str, ...] = ()) -> dict[str, typing.Any]:
    mapping = _check(name, value, dict)
    if not {*keys} <= {*mapping} <= {*keys, *optional}:
        also = f' and optionally {", ".join(optional)}' if optional else ''
        raise ValueError(f'Invalid {name}: it must have the keys '
                         f'{", ".join(keys)}{also}, and no others.')
    return {key: mapping.get(key) for key in (*keys, *optional)}


_NAMES: dict[type, str] = {str: 'a string', dict: 'an object', list: 'a list'}


def _check(name: str, value: typing.Any, kind: type) -> typing.Any:
    if not isinstance(value, kind):
        raise ValueError(f'Invalid {name}: it must be {_NAMES[kind]}.')
    return value


def _check_word(name: str, value: object,
                words: tuple[str | None, ...]) -> None:
    if value not in words:
        raise ValueError(f'Invalid {name}: it must be one of '
                         f'{", ".join(each or "null" for each in words)}.')
