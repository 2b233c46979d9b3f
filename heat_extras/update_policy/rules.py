# SPDX-License-Identifier: Apache-2.0

"""What ``update_policy: {allow: {update: ..., replace: ...}}`` means.

Pure rules, apart from Heat: what may be written, how the policies of nested
stacks add up, and which act of an update a policy forbids.
"""

from collections import abc
import dataclasses

from heat_extras import sanitize
from heat_extras.update_plan import change

UPDATE, REPLACE = 'update', 'replace'
KEYS = (UPDATE, REPLACE)

#: The key that decides about an act.
DECIDING_KEYS = {change.UPDATE: UPDATE, change.REPLACE: REPLACE,
                 change.REMOVE: REPLACE}

_KEYS_IN_TEXT = ' and '.join(KEYS)


class RuleError(ValueError):
    """An ``allow`` that is not valid.

    :ivar path: the keys below ``allow`` that lead to the error.
    """

    def __init__(self, message: str, path: abc.Iterable[str] = ()) -> None:
        super().__init__(message)
        self.path = list(path)


@dataclasses.dataclass(frozen=True)
class Allow:
    """What one resource's template says, or None where it says nothing."""

    update: bool | None = None
    replace: bool | None = None


@dataclasses.dataclass(frozen=True)
class Policy:
    """The policy of a resource, the policies around it included.

    :param update: the path of the resource whose policy forbids updates in
        place, or None when they are allowed.
    :param replace: the same for every destruction by an update.
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
    """Read a resolved ``allow``.

    :param written: the value as the template has it, with its functions.
    :raises RuleError: with the parts of the value that are literals in the
        template. All others can come from a hidden parameter.
    """
    literals = written if isinstance(written, dict) else {}
    if not isinstance(value, dict):
        raise RuleError(f'must be a map with any of {_KEYS_IN_TEXT}, like '
                        'allow: {replace: false}')
    unknown = value.keys() - {*KEYS}
    if unknown:
        named = ', '.join(sorted(map(sanitize.as_written,
                                     unknown & literals.keys())))
        found = f'unknown key {named}' if named else 'an unknown key'
        raise RuleError(f'has {found}: the keys are {_KEYS_IN_TEXT}')
    for key, each in value.items():
        if not isinstance(each, bool):
            is_literal = key in literals and literals[key] is each
            shown = (f'is {sanitize.as_written(each)}, but ' if is_literal
                     else '')
            raise RuleError(f'{shown}must be true or false, without quotes, '
                            'or get_param of a parameter of the type boolean',
                            [key])
    return Allow(**value)


def restrict_policy(outer: Policy, inner: Allow, path: str) -> Policy:
    """Add what a resource itself says to the policy around it."""
    return Policy(*(
        getattr(outer, key) if getattr(outer, key) is not None
        else path if getattr(inner, key) is False else None
        for key in KEYS))


def combine_allow(one: Allow, other: Allow) -> Allow:
    """Return what two templates allow a resource together."""
    return Allow(*(False if getattr(other, key) is False
                   else getattr(one, key) for key in KEYS))


def find_conflicts(outer: Policy, inner: Allow) -> list[str]:
    """List the keys that are written true where outside says false."""
    return [key for key in KEYS
            if getattr(inner, key) is True
            and getattr(outer, key) is not None]
