# SPDX-License-Identifier: Apache-2.0

"""The rules of ``update_policy: {allow: {update: ..., replace: ...}}``.

They define the valid values, how the policies of nested stacks are combined,
and which acts of an update a policy forbids.

Pure: does not import Heat.
"""

from collections import abc
import dataclasses

from heat_extras.plan import change
from heat_extras import sanitize

UPDATE, REPLACE = 'update', 'replace'
KEYS = (UPDATE, REPLACE)

#: The key that allows or forbids an act.
DECIDING_KEYS = {change.UPDATE: UPDATE, change.REPLACE: REPLACE,
                 change.REMOVE: REPLACE}

_KEYS_IN_TEXT = ' and '.join(f'"{key}"' for key in KEYS)


class RuleError(ValueError):
    """An ``allow`` that is not valid.

    :ivar path: the keys below ``allow`` that lead to the error.
    """

    def __init__(self, message: str, path: abc.Iterable[str] = ()) -> None:
        super().__init__(message)
        self.path = list(path)


@dataclasses.dataclass(frozen=True)
class Allow:
    """The ``allow`` of one resource. A key that is not set is None."""

    update: bool | None = None
    replace: bool | None = None


@dataclasses.dataclass(frozen=True)
class Policy:
    """The policy of a resource, including the policies around it.

    :param update: the path of the resource whose policy forbids updates in
        place, or None if they are allowed.
    :param replace: the same for replacement and removal.
    """

    update: str | None = None
    replace: str | None = None

    @property
    def is_free(self) -> bool:
        return self.update is None and self.replace is None

    def forbids(self, act: str) -> str | None:
        """Return the path of the resource whose policy forbids an act."""
        key = DECIDING_KEYS.get(act)
        return None if key is None else getattr(self, key)


UNRESTRICTED = Policy()


def parse_allow(value: object, written: object = None) -> Allow:
    """Parse a resolved ``allow``.

    :param written: the unresolved value in the template.
    :raises RuleError: if it is not valid. The message contains only those
        parts of the value that are literals in the template, because other
        parts can be values of hidden parameters.
    """
    literals = written if isinstance(written, dict) else {}
    if not isinstance(value, dict):
        raise RuleError(f'must be a map with any of {_KEYS_IN_TEXT}, like '
                        'allow: {replace: false}')
    unknown = value.keys() - {*KEYS}
    if unknown:
        named = ', '.join(f'"{key}"' for key in sorted(map(
            sanitize.to_yaml, unknown & literals.keys())))
        problem = f'the unknown key {named}' if named else 'an unknown key'
        raise RuleError(f'has {problem}: the allowed keys are '
                        f'{_KEYS_IN_TEXT}')
    for key, setting in value.items():
        if not isinstance(setting, bool):
            is_literal = key in literals and literals[key] is setting
            shown = (f'is {sanitize.to_yaml(setting)}, but ' if is_literal
                     else '')
            raise RuleError(f'{shown}must be true or false, without quotes, '
                            'or a function with a boolean result, like '
                            'get_param of a parameter of the type boolean',
                            [key])
    return Allow(**value)


def restrict_policy(outer: Policy, inner: Allow, path: str) -> Policy:
    """Return the policy of a resource, from the policy around it."""
    return Policy(*(
        getattr(outer, key) if getattr(outer, key) is not None
        else path if getattr(inner, key) is False else None
        for key in KEYS))


def combine_allow(allow: Allow, other: Allow) -> Allow:
    """Return the ``allow`` with the restrictions of both."""
    return Allow(*(False if getattr(other, key) is False
                   else getattr(allow, key) for key in KEYS))


def find_conflicts(outer: Policy, inner: Allow) -> list[str]:
    """List the keys that are true although the outer policy is false."""
    return [key for key in KEYS
            if getattr(inner, key) is True
            and getattr(outer, key) is not None]
