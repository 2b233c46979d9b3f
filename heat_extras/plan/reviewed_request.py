# SPDX-License-Identifier: Apache-2.0

"""The reviewed plan in the request of an update.

The field ``plan`` of the request has the fields of ``plan_source`` of the
preview, and ``changes``: the entries of the plan that change a resource.

Pure: does not import Heat.
"""

import dataclasses
import typing

FIELD = 'plan'
#: An engine without the feature would ignore the plan. A client can add this
#: text to the value of ``converge``, with which such an engine fails before it
#: changes anything (heat.engine.api.extract_args).
CONVERGE, ONLY_WITH_PLAN = 'converge', ' with plan'
REVISION, SALT, HIDDEN = 'revision', 'salt', 'hidden_parameters'
CHANGES = 'changes'
FIELDS = (REVISION, SALT, HIDDEN, CHANGES)
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

# The actions that an entry which may happen also allows, see user/plan.rst.
_LESSER = {REPLACED: (UPDATED,), REMOVED: (UPDATED, REPLACED)}


@dataclasses.dataclass(frozen=True)
class Request:
    """The parsed plan of a request.

    :param hidden: digests of the values of hidden parameters, by name.
    :param changes: pairs of action and certainty, by path and placeholder.
        The path for :data:`OTHERS` is the path of the nested stack.
    """

    revision: str
    salt: str
    hidden: dict[str, str]
    changes: dict[tuple[str, str | None], tuple[str, str]]

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


def parse(value: object) -> Request:
    """Parse the field ``plan``.

    :raises ValueError: with a text for the caller.
    """
    fields = _check_keys('plan', value, FIELDS)
    for name in (REVISION, SALT):
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
    return Request(fields[REVISION], fields[SALT], hidden, changes)


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
